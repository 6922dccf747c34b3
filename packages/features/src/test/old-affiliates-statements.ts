import { expect } from 'vitest';
import { OK, type OldStatement, refused } from './old-statement.js';

const AFFILIATE = { memberId: 7, code: 'autumn', commissionPercent: 7.5, payoutEmail: 'pay@example.org' };
const ANALYSIS = { AccountId: 1, languageModelId: 'model-7', topic: 'late parcels' };

/** Affiliates, and analyses of what an account talks about. */
export const AFFILIATE_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'POST /addOrUpdateAffiliateDetails adds an affiliate',
    ask: (world) =>
      world.askRoot('POST', '/addOrUpdateAffiliateDetails', {
        memberId: '4',
        code: 'spring',
        commissionPercent: '10',
        payoutEmail: 'pay@example.org',
        active: 1,
        affiliateId: '',
      }),
    answers: OK,
  },
  {
    says: 'GET /getAffiliateMarketingURL answers the url that an affiliate shares',
    ask: async (world) => {
      await world.askRoot('POST', '/addOrUpdateAffiliateDetails', AFFILIATE);
      return world.askRoot('GET', '/getAffiliateMarketingURL/7');
    },
    answers: { ...OK, body: { url: expect.stringMatching(/^https?:.*[?&]ref=autumn$/) as string } },
  },
  {
    says: 'GET /getAffiliateMarketingURL finds nothing for somebody who is no affiliate',
    ask: (world) => world.askRoot('GET', '/getAffiliateMarketingURL/9'),
    answers: refused(404, 'not_found'),
  },
  {
    says: 'POST /searchAffiliatePeople finds affiliates',
    ask: async (world) => {
      await world.askRoot('POST', '/addOrUpdateAffiliateDetails', AFFILIATE);
      return world.askRoot('POST', '/searchAffiliatePeople', { search: 'autumn' });
    },
    answers: { ...OK, body: { data: [{ memberId: 7, code: 'autumn', commissionPercent: 7.5 }] } },
  },
  {
    says: 'POST /analyzeKnowledge answers JSON, of a program that got its three values',
    ask: (world) => world.askRoot('POST', '/analyzeKnowledge', ANALYSIS),
    answers: {
      ...OK,
      body: { data: { accountId: 1, languageModelId: 'model-7', topic: 'late parcels' } },
    },
  },
  {
    says: 'POST /analyzeKnowledge answers 500 with status false and a message where the program fails',
    ask: async (world) => {
      await using other = await world.configured({ ANALYSIS_PROGRAM: 'false' });
      return await other.askRoot('POST', '/analyzeKnowledge', ANALYSIS);
    },
    answers: {
      status: 500,
      body: { status: false, message: expect.any(String) as string, error: { code: 'analysis_failed' } },
    },
  },
  {
    says: 'POST /analyzeKnowledge needs access to the account',
    ask: async (world) =>
      world.askAdmin('POST', '/analyzeKnowledge', {
        token: await world.signIn('staff@gatehouse.test'),
        body: { AccountId: '3', languageModelId: 'm', topic: 'x' },
      }),
    answers: { status: 403 },
  },
  {
    says: 'POST /analyzeKnowledge takes a topic of any length',
    differs: 'A topic of an analysis has at most 2000 characters',
    ask: (world) =>
      world.askRoot('POST', '/analyzeKnowledge', {
        AccountId: '1',
        languageModelId: 'm',
        topic: 'x'.repeat(2_001),
      }),
    answers: refused(400, 'invalid_input'),
  },
];
