import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { insertTestMember } from '@gatehouse/testkit';
import jwt from 'jsonwebtoken';
import { expect } from 'vitest';
import { OK, type OldStatement, refused } from './old-statement.js';
import { type OldWorld, OWNER } from './old-world.js';
import { ACME_SECRET, loginTokenIn } from './partner-client.js';

const anyText = expect.any(String) as string;
const LOGIN_URL = expect.stringMatching(/^http:\/\/127\.0\.0\.1:4010\/#login\?token=./) as string;

/** Claims of a partner token that are not ours. */
const FOREIGN_CLAIMS: readonly [name: string, value: string][] = [
  ['iss', 'another-service'],
  ['aud', 'another-audience'],
];

let people = 0;
async function register(world: OldWorld) {
  people += 1;
  const body = { email: `partner.person.${people}@example.org`, firstName: 'Ada', lastName: 'Byron' };
  return asPartner(world, '/partnerAuth/registerUser', body);
}

async function asPartner(world: OldWorld, path: string, body: object) {
  const headers = { authorization: `Bearer ${await world.partnerToken()}` };
  return world.ask('POST', path, { body, headers });
}

/** The endpoints of partners. */
export const PARTNER_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'partnerAuthentication exchanges partnerId and secretKey for a token of an hour',
    ask: (world) =>
      world.ask('POST', '/partnerAuth/partnerAuthentication', {
        body: { partnerId: 'acme-partner', secretKey: ACME_SECRET },
      }),
    answers: { ...OK, body: { token: anyText, expiresIn: 3600 } },
  },
  {
    says: 'the partner token names the partner, issuer and audience, and is not encrypted',
    ask: async (world) => {
      const answer = await world.ask('GET', '/healthz');
      return { ...answer, body: jwt.decode(await world.partnerToken()) as Record<string, unknown> };
    },
    answers: {
      body: {
        partnerId: 'acme-partner',
        partnerName: 'acme-partner',
        aud: 'partner-auth',
        iss: 'gatehouse',
        iat: expect.any(Number) as number,
      },
    },
  },
  {
    says: 'the partner token is signed with JWT_SECRET_KEY by HS256',
    ask: async (world) => {
      const { JWT_SECRET_KEY: key } = world.main.services.config;
      const { header } = jwt.verify(await world.partnerToken(), key, {
        complete: true,
        algorithms: ['HS256'],
      });
      return { ...(await world.ask('GET', '/healthz')), body: { alg: header.alg } };
    },
    answers: { body: { alg: 'HS256' } },
  },
  ...FOREIGN_CLAIMS.map(
    ([name, value]): OldStatement => ({
      says: `a partner token with another ${name} opens no partner endpoint`,
      ask: async (world) => {
        const claims = jwt.decode(await world.partnerToken()) as object;
        const token = jwt.sign({ ...claims, [name]: value }, world.main.services.config.JWT_SECRET_KEY);
        const headers = { authorization: `Bearer ${token}` };
        return world.ask('POST', '/partnerAuth/singleSignOn', { headers, body: { userId: 3 } });
      },
      answers: refused(401, 'invalid_partner_token'),
    }),
  ),
  {
    says: 'a wrong secretKey gives no token',
    ask: (world) =>
      world.ask('POST', '/partnerAuth/partnerAuthentication', {
        body: { partnerId: 'acme-partner', secretKey: 'another' },
      }),
    answers: refused(401, 'invalid_credentials'),
  },
  {
    says: 'registerUser answers a login URL of the partner’s front end, and creates member and account',
    ask: register,
    answers: {
      ...OK,
      body: {
        loginUrl: LOGIN_URL,
        userId: expect.any(Number) as number,
        accountId: expect.any(Number) as number,
      },
    },
  },
  {
    says: 'registerUser creates a membership as owner and a trial subscription',
    ask: async (world) => {
      const { body } = await register(world);
      const session = await world.ask('POST', '/webauthenticate', {
        body: { tempLogin: true, token: loginTokenIn(String(body['loginUrl'])) },
      });
      return world.ask('GET', '/auth/me', { token: String(session.body['token']) });
    },
    answers: { ...OK, body: { memberships: [{ role: 1, subscription: { state: 'trialing' } }] } },
  },
  {
    says: 'registerUser stores a bcrypt hash of ten rounds, of a password that nobody is told',
    ask: async (world) => {
      const answer = await register(world);
      const found = await findCredentialById(world.main.database, Number(answer.body['userId']));
      return { ...answer, body: { names: Object.keys(answer.body).sort() }, text: found?.password ?? '' };
    },
    answers: {
      status: 200,
      body: { names: ['accountId', 'loginUrl', 'status', 'userId'] },
      text: expect.stringMatching(/^\$2b\$10\$/) as string,
    },
  },
  {
    says: 'registerUser takes a person without names',
    ask: (world) =>
      asPartner(world, '/partnerAuth/registerUser', {
        email: 'nameless@example.org',
        firstName: null,
        lastName: '',
      }),
    answers: { ...OK, body: { loginUrl: LOGIN_URL } },
  },
  {
    says: 'registerUser needs the partner token',
    ask: (world) => world.ask('POST', '/partnerAuth/registerUser', { body: { email: 'x@example.org' } }),
    answers: refused(401, 'invalid_partner_token'),
  },
  {
    says: 'a session token opens no partner endpoint',
    ask: async (world) =>
      world.ask('POST', '/partnerAuth/singleSignOn', {
        body: { userId: 3 },
        headers: { authorization: `Bearer ${await world.signIn(OWNER)}` },
      }),
    answers: refused(401, 'invalid_partner_token'),
  },
  {
    says: 'singleSignOn answers a login URL whose token lists the member’s accounts',
    ask: async (world) => {
      const { body } = await register(world);
      const answer = await asPartner(world, '/partnerAuth/singleSignOn', { userId: body['userId'] });
      const { accountIds } = world.open(loginTokenIn(String(answer.body['loginUrl'])));
      return { ...answer, text: JSON.stringify([accountIds, [body['accountId']]]) };
    },
    answers: { ...OK, text: expect.stringMatching(/^\[(\[\d+\]),\1\]$/) as string },
  },
  {
    says: 'the token of singleSignOn has the member, the role and payment provider 2',
    ask: async (world) => {
      const { body } = await register(world);
      const answer = await asPartner(world, '/partnerAuth/singleSignOn', { userId: body['userId'] });
      return { ...answer, body: world.open(loginTokenIn(String(answer.body['loginUrl']))) };
    },
    answers: { status: 200, body: { userId: expect.any(Number) as number, role: 5, defaultPaymentId: 2 } },
  },
  {
    says: 'singleSignOn finds the members whom the partner made in the replaced system',
    differs: 'Members that partners made before have no link',
    ask: async (world) => {
      const { email } = await insertTestMember(world.main.database, { memberships: { 2: 5 } });
      return asPartner(world, '/partnerAuth/singleSignOn', { email });
    },
    answers: refused(404, 'not_found'),
  },
  {
    says: 'singleSignOn finds any member',
    differs: 'singleSignOn reaches linked members only',
    ask: (world) => asPartner(world, '/partnerAuth/singleSignOn', { email: 'owner@birch.test' }),
    answers: refused(404, 'not_found'),
  },
  {
    says: 'the token of a login URL is a session token and works in the Token header',
    differs: 'The token of a login URL is exchanged',
    ask: async (world) => {
      const { body } = await register(world);
      return world.ask('GET', '/auth/me', { token: loginTokenIn(String(body['loginUrl'])) });
    },
    answers: { status: 401, text: 'unauthorized access' },
  },
  {
    says: 'the token of a login URL signs in with tempLogin: 1 and an empty password',
    ask: async (world) => {
      const { body } = await register(world);
      const token = loginTokenIn(String(body['loginUrl']));
      return world.ask('POST', '/webauthenticate', { body: { tempLogin: 1, token, password: '' } });
    },
    answers: { ...OK, body: { token: anyText, accountId: expect.any(Number) as number } },
  },
  {
    says: 'a login token of the old service reaches the accounts that it lists',
    differs: 'The token of a login URL is exchanged',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', {
        body: {
          tempLogin: true,
          token: world.seal({ userId: 3, role: 1, defaultPaymentId: 2, accountIds: [1, 2] }),
        },
      }),
    answers: { ...OK, body: { userId: 3, accountId: null } },
  },
  {
    says: 'partnerSignIn answers a redirect with a token that is signed with the partner’s secret',
    ask: async (world) => {
      const body = { partner: 'acme-partner', user_data: { plan: 'pro' } };
      const answer = await world.ask('POST', '/partnerAuth/partnerSignIn', {
        token: await world.signIn(OWNER),
        body,
      });
      const token = new URL(String(answer.body['redirectUrl'])).searchParams.get('token') ?? '';
      return {
        ...answer,
        text: Object.keys(jwt.verify(token, ACME_SECRET) as object)
          .sort()
          .join(),
      };
    },
    answers: { ...OK, text: expect.stringMatching(/partner.*redirect_url.*timestamp.*user_data/) as string },
  },
  {
    says: 'partnerSignIn is open to anybody',
    differs: 'singleSignOn reaches linked members only',
    ask: (world) => world.ask('POST', '/partnerAuth/partnerSignIn', { body: { partner: 'acme-partner' } }),
    answers: { status: 401, text: 'unauthorized access' },
  },
  {
    says: 'partnerSignIn redirects wherever the caller says',
    differs: 'singleSignOn reaches linked members only',
    ask: async (world) =>
      world.ask('POST', '/partnerAuth/partnerSignIn', {
        token: await world.signIn(OWNER),
        body: { partner: 'acme-partner', redirect_url: 'https://evil.example/' },
      }),
    answers: refused(400, 'invalid_input'),
  },
];
