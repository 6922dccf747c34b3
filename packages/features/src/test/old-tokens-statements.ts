import jwt from 'jsonwebtoken';
import { expect } from 'vitest';
import { OK, type OldStatement, refused, UNAUTHORIZED } from './old-statement.js';
import { OWNER, PASSWORD, ROOT } from './old-world.js';

const login = { email: OWNER, password: PASSWORD };
const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };

/** The tokens of both schemes, and the headers that carry them. */
export const TOKEN_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'a session token goes in the Token header',
    ask: async (world) => world.ask('GET', '/auth/me', { token: await world.signIn(OWNER) }),
    answers: { ...OK, body: { member: { id: 3 } } },
  },
  {
    says: 'a header name is read in any case',
    ask: async (world) => world.ask('GET', '/auth/me', { headers: { tOkEn: await world.signIn(OWNER) } }),
    answers: OK,
  },
  {
    says: 'a session token made by the old service, with its id, role, account and staff flag, opens guarded paths',
    ask: (world) => world.ask('GET', '/auth/me', { token: world.seal(session) }),
    answers: { ...OK, body: { member: { id: 3 } } },
  },
  {
    says: 'a session token opens with the secret key: a JWT whose data claim is the encrypted payload',
    ask: async (world) => {
      const answer = await world.ask('POST', '/webauthenticate', { body: login });
      return { ...answer, body: world.open(String(answer.body['token'])) };
    },
    answers: {
      status: 200,
      body: { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false },
    },
  },
  {
    says: 'a token without an expiry is accepted for ever',
    differs: '`tempLogin` refuses session tokens, and a token without `exp`',
    ask: async (world) => {
      const data = (jwt.decode(world.seal(session)) as { data: string }).data;
      return world.ask('GET', '/auth/me', {
        token: jwt.sign({ data }, world.main.services.config.JWT_SECRET_KEY),
      });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'the account goes in the Accountid header and may change from request to request',
    ask: async (world) => {
      const token = await world.signIn(OWNER);
      await world.ask('GET', '/getAllMemberslist', { token, account: 1 });
      return world.ask('GET', '/getAllMemberslist', { token, account: 2 });
    },
    answers: {
      ...OK,
      body: { data: expect.arrayContaining([expect.objectContaining({ id: 8 })]) as unknown },
    },
  },
  {
    says: 'without an Accountid header no account is selected',
    ask: async (world) => world.ask('GET', '/getAllMemberslist', { token: await world.signIn(OWNER) }),
    answers: refused(400, 'account_required'),
  },
  {
    says: 'an account is reached by a live membership or a live grant of staff, and by nothing else',
    ask: async (world) =>
      world.ask('GET', '/getAllMemberslist', { token: await world.signIn(OWNER), account: 3 }),
    answers: refused(403, 'account_forbidden'),
  },
  {
    says: 'staff reach an account that was granted to them',
    ask: async (world) =>
      world.ask('GET', '/getAllMemberslist', {
        token: await world.signIn('staff@gatehouse.test'),
        account: 2,
      }),
    answers: OK,
  },
  {
    says: 'the role and the staff flag are those of the token',
    differs: 'A token says who calls',
    ask: (world) =>
      world.askAdmin('POST', '/searchUser', {
        token: world.seal({ ...session, userId: 7, role: 0, isPersonnel: true }),
        body: { search: '' },
      }),
    answers: { status: 403 },
  },
  ...['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'].map(
    (token): OldStatement => ({
      says: `a malformed token is 401 with the plain text and not the envelope: ${JSON.stringify(token)}`,
      ask: (world) => world.ask('GET', '/auth/me', { token }),
      answers: UNAUTHORIZED,
    }),
  ),
  {
    says: 'a missing token is 401 with the plain text',
    ask: (world) => world.ask('GET', '/auth/me'),
    answers: {
      ...UNAUTHORIZED,
      headers: { 'content-type': expect.stringMatching(/^text\/plain/) as string },
    },
  },
  {
    says: 'a token signed with another key is 401',
    ask: async (world) => {
      return world.ask('GET', '/auth/me', {
        token: jwt.sign({ data: 'x' }, 'another key', { expiresIn: 60 }),
      });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'a token signed with the right key whose data cannot be decrypted is 401',
    ask: (world) => {
      const key = world.main.services.config.JWT_SECRET_KEY;
      const data = Buffer.from('Salted__nothing that was encrypted').toString('base64');
      return world.ask('GET', '/auth/me', { token: jwt.sign({ data }, key, { expiresIn: 60 }) });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'logout revokes the token',
    ask: async (world) => {
      const token = await world.signIn(OWNER);
      await world.ask('POST', '/auth/logout', { token });
      return world.ask('GET', '/auth/me', { token });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'a revoked token is valid again after a restart, and on another server',
    differs: 'Revocation is durable and immediate',
    ask: async (world) => {
      const token = await world.signIn(ROOT);
      await world.ask('POST', '/auth/logout', { token });
      return world.askAdmin('GET', '/auth/me', { token });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'GET / is a health check for a bearer token',
    ask: async (world) =>
      world.ask('GET', '/', { headers: { authorization: `Bearer ${await world.bearer(OWNER)}` } }),
    answers: { ...OK, body: { message: expect.any(String) as string } },
  },
  {
    says: 'GET / without a bearer token is 403 with no body',
    ask: (world) => world.ask('GET', '/'),
    answers: { status: 403, text: '' },
  },
  {
    says: 'GET / with a bad bearer token is 403 with no body',
    ask: (world) => world.ask('GET', '/', { headers: { authorization: 'Bearer nonsense' } }),
    answers: { status: 403, text: '' },
  },
  {
    says: 'GET / in a browser is 403 with no body too',
    differs: 'A browser that opens `/` gets a page',
    ask: (world) => world.ask('GET', '/', { headers: { accept: 'text/html' } }),
    answers: { status: 200, headers: { 'content-type': expect.stringMatching(/^text\/html/) as string } },
  },
  {
    says: 'a bearer token is verified by its signature alone, and its role believed',
    differs: 'A token says who calls',
    ask: async (world) => {
      const key = world.main.services.config.JWT_SECRET_KEY;
      const token = jwt.sign({ userId: 999_999, role: 0 }, key, { expiresIn: 60 });
      return world.ask('GET', '/', { headers: { authorization: `Bearer ${token}` } });
    },
    answers: { status: 403, text: '' },
  },
  {
    says: 'a bearer token opens GET / alone',
    differs: 'A bearer token of `/authenticate`',
    ask: async (world) =>
      world.ask('GET', '/auth/me', { headers: { authorization: `Bearer ${await world.bearer(OWNER)}` } }),
    answers: { ...OK, body: { member: { id: 3 } } },
  },
  {
    says: 'a bearer token outlives a logout',
    differs: 'A bearer token of `/authenticate`',
    ask: async (world) => {
      const headers = { authorization: `Bearer ${await world.bearer(OWNER)}` };
      await world.ask('POST', '/auth/logout', { headers });
      return world.ask('GET', '/', { headers });
    },
    answers: { status: 403, text: '' },
  },
  {
    says: 'a member belongs to several accounts',
    ask: async (world) => world.ask('GET', '/auth/me', { token: await world.signIn(OWNER), account: 2 }),
    answers: {
      ...OK,
      body: { currentAccount: { accountId: 2 }, memberships: [{ accountId: 1 }, { accountId: 2 }] },
    },
  },
  {
    says: 'the plain token of POST /login is no session token',
    ask: async (world) => {
      const { body } = await world.ask('POST', '/login', { body: login });
      return world.ask('GET', '/auth/me', { token: String(body['access_token']) });
    },
    answers: UNAUTHORIZED,
  },
];
