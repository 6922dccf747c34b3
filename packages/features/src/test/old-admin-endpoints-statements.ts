import { expect } from 'vitest';
import { OK, type OldStatement, refused, UNAUTHORIZED } from './old-statement.js';
import { OWNER, ROOT } from './old-world.js';

const rows = expect.any(Array) as unknown[];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const OPEN_THERE = [
  '/getAllOwnerList',
  '/getPersonnel/2',
  '/getAccountsList',
  '/searchUser',
  '/getAffiliateMarketingURL/1',
];

/** Searches that read their text from a JSON body, with a GET and with a POST. */
const SEARCHES: readonly [path: string, body: object, found: unknown][] = [
  ['/getAccountNameList', { searchUser: 'birch' }, [{ id: 2, name: 'Birch & Co' }]],
  ['/searchAccountManagers', { search: 'staff' }, [{ id: 2 }]],
  ['/searchUser', { search: 'owner@cedar.test' }, [{ id: 9 }]],
  ['/searchAccountUser', { search: 'cedar' }, [{ id: 3 }]],
  ['/searchAffiliatePeople', { search: 'nobody of this name' }, []],
];

/** The endpoints of the admin service. */
export const ADMIN_STATEMENTS: readonly OldStatement[] = [
  ...OPEN_THERE.map(
    (path): OldStatement => ({
      says: `GET ${path} answers without any token`,
      differs: 'Every route is guarded',
      ask: (world) => world.askAdmin('GET', path),
      answers: UNAUTHORIZED,
    }),
  ),
  ...SEARCHES.flatMap(([path, body, found]) =>
    ['GET', 'POST'].map(
      (method): OldStatement => ({
        says: `${method} ${path} reads its text from the JSON body`,
        ask: async (world) => world.askAdmin(method, path, { token: await world.signIn(ROOT), body }),
        answers: { ...OK, body: { data: found } },
      }),
    ),
  ),
  {
    says: 'somebody who is no staff signs in to the admin service',
    differs: 'Only staff sign in to the admin service',
    ask: (world) =>
      world.askAdmin('POST', '/webauthenticate', { body: { email: OWNER, password: 'Lantern-Harbor-42' } }),
    answers: refused(403, 'role_not_allowed'),
  },
  {
    says: 'every endpoint of the auth router needs a session',
    ask: (world) => world.askAdmin('GET', '/auth/me'),
    answers: UNAUTHORIZED,
  },
  {
    says: 'GET /me finds a member by the auth_token in the Authorization header',
    ask: async (world) => {
      const { body } = await world.askAdmin('POST', '/auth/apiToken', { token: await world.signIn(ROOT) });
      const token = (body['data'] as { token?: string } | undefined)?.token ?? String(body['token']);
      return world.askAdmin('GET', '/me', { headers: { authorization: token } });
    },
    answers: { ...OK, body: { data: { id: 1 } } },
  },
  {
    says: 'GET /me takes the token of a social provider',
    differs: 'Social tokens are not accepted at `GET /me`',
    ask: (world) => world.askAdmin('GET', '/me', { headers: { authorization: 'ya29.of-a-provider' } }),
    answers: UNAUTHORIZED,
  },
  {
    says: 'POST /addOrUpdatePersonnel changes staff',
    ask: async (world) =>
      world.askAdmin('POST', '/addOrUpdatePersonnel', {
        token: await world.signIn(ROOT),
        body: { personnelId: '2', role_type: '6', active: 1, accountIds: ['2'], email: '', firstName: null },
      }),
    answers: { ...OK, body: { data: { id: 2, grants: [{ accountId: 2 }] } } },
  },
  {
    says: 'POST /addOrUpdatePersonnel takes a form in which accountIds is repeated',
    ask: async (world) =>
      world.askAdmin('POST', '/addOrUpdatePersonnel', {
        token: await world.signIn(ROOT),
        headers: FORM,
        body: 'personnelId=2&role_type=6&active=true&accountIds=1&accountIds=2',
      }),
    answers: { ...OK, body: { data: { grants: [{ accountId: 1 }, { accountId: 2 }] } } },
  },
  {
    says: 'GET /getAllOwnerList lists owners',
    ask: async (world) => world.askAdmin('GET', '/getAllOwnerList', { token: await world.signIn(ROOT) }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'GET /getPersonnel answers a member of staff',
    ask: async (world) => world.askAdmin('GET', '/getPersonnel/2', { token: await world.signIn(ROOT) }),
    answers: { ...OK, body: { data: { id: 2 } } },
  },
  {
    says: 'GET /getAccountsList never answers where there is nothing',
    differs: '`/RemoveSubject` works, and handlers that never answered',
    ask: async (world) => world.askAdmin('GET', '/getAccountsList', { token: await world.signIn(ROOT) }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'GET /getAlltAccountMembers finds a part of a first name among the members of an owner’s accounts',
    ask: async (world) =>
      world.askAdmin('GET', '/getAlltAccountMembers/3/0/a', { token: await world.signIn(ROOT) }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'POST /updateUser changes names, and leaves what is empty or null',
    ask: async (world) =>
      world.askAdmin('POST', '/updateUser', {
        token: await world.signIn(ROOT),
        body: { id: 5, fName: 'Cora', lName: null, email: '', role_type: null, role: '' },
      }),
    answers: {
      ...OK,
      body: { data: { id: 5, firstName: 'Cora', email: 'contributor@acme.test', role_type: 3 } },
    },
  },
  {
    says: 'POST /updateUser changes the e-mail at once',
    differs: 'A new e-mail address counts once',
    ask: async (world) =>
      world.askAdmin('POST', '/updateUser', {
        token: await world.signIn(ROOT),
        body: { id: 5, email: 'new@acme.test' },
      }),
    answers: { ...OK, body: { data: { email: 'contributor@acme.test', pendingEmail: 'new@acme.test' } } },
  },
  {
    says: 'POST /updateUser lets anybody give any role',
    differs: 'Nobody gives a role above their own',
    ask: async (world) =>
      world.askAdmin('POST', '/updateUser', {
        token: await world.signIn('staff@gatehouse.test'),
        account: 2,
        body: { id: 8, role_type: 0 },
      }),
    answers: { status: 403 },
  },
  {
    says: 'a new e-mail in POST /updateProfile belongs to the member whose session it is, like the names',
    ask: async (world) =>
      world.askAdmin('POST', '/updateProfile', {
        token: await world.signIn(ROOT),
        body: { firstName: 'Rosa', lastName: '' },
      }),
    answers: { ...OK, body: { data: { id: 1, firstName: 'Rosa' } } },
  },
  {
    says: 'POST /NewAccManager gives a member the role of account managers',
    ask: async (world) =>
      world.askAdmin('POST', '/NewAccManager', { token: await world.signIn(ROOT), body: { memberId: '6' } }),
    answers: { ...OK, body: { data: { id: 6, role_type: 6 } } },
  },
  {
    says: 'POST /deleteUser sets a flag, and sessions go on',
    differs: 'Access ends with the next request',
    ask: async (world) => {
      const token = await world.signIn('legacy@acme.test');
      await world.askAdmin('POST', '/deleteUser', {
        token: await world.signIn(ROOT),
        body: { userId: '11' },
      });
      return world.ask('GET', '/auth/me', { token });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'POST /deleteAccount deletes an account',
    ask: async (world) =>
      world.askAdmin('POST', '/deleteAccount', { token: await world.signIn(ROOT), body: { accountId: '3' } }),
    answers: OK,
  },
  {
    says: 'POST /addOrUpdateAffiliateDetails adds an affiliate',
    ask: async (world) =>
      world.askAdmin('POST', '/addOrUpdateAffiliateDetails', {
        token: await world.signIn(ROOT),
        body: {
          memberId: '4',
          code: 'spring',
          commissionPercent: '10',
          payoutEmail: 'pay@example.org',
          active: 1,
          affiliateId: '',
        },
      }),
    answers: OK,
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
    ask: async (world) =>
      world.askAdmin('POST', '/analyzeKnowledge', {
        token: await world.signIn(ROOT),
        body: { AccountId: '1', languageModelId: 'm', topic: 'x'.repeat(2_001) },
      }),
    answers: refused(400, 'invalid_input'),
  },
];
