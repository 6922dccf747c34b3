import { totpCode, totpStep } from '@gatehouse/auth-core';
import { fromBase32, insertTestMember } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { knownHash } from './known-hash.js';
import { OK, type OldStatement, refused } from './old-statement.js';
import { type OldWorld, OWNER, PASSWORD } from './old-world.js';

const anyText = expect.any(String) as string;

/** The address of a member who has an authenticator app. */
async function memberWithApp({ main, ask }: OldWorld): Promise<string> {
  const passwordHash = await knownHash(PASSWORD);
  const { email, token } = await insertTestMember(main.database, { isConfirmed: true, passwordHash });
  await ask('POST', '/v1/verification/prove', { token, body: { password: PASSWORD } });
  const { body } = await ask('POST', '/v1/totp/start', { token, body: {} });
  const { secret } = body['data'] as { secret: string };
  const code = totpCode(fromBase32(secret), totpStep(Date.now()));
  await ask('POST', '/v1/totp/confirm', { token, body: { code } });
  return email;
}

/** What the replaced system accepted without a limit, a step or a question. */
export const LIMIT_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'a password is all that a sign-in takes',
    differs: 'A sign-in may ask for a second step',
    ask: async (world) => {
      const body = { email: await memberWithApp(world), password: PASSWORD };
      return world.ask('POST', '/webauthenticate', { body });
    },
    answers: refused(401, 'second_factor_required'),
  },
  {
    says: 'a page of another site may send a form',
    differs: 'A form that a page of another site sends',
    ask: (world) =>
      world.ask('POST', '/forgotPassword', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
        body: 'email=owner%40acme.test',
      }),
    answers: refused(403, 'origin_refused'),
  },
  {
    says: 'a body may have any size',
    differs: 'A body has at most 100 kB',
    ask: (world) => world.ask('POST', '/login', { body: { email: OWNER, password: 'x'.repeat(110_000) } }),
    answers: refused(413, 'payload_too_large'),
  },
  {
    says: 'a body of less than 100 kB is read',
    ask: (world) =>
      world.ask('POST', '/login', { body: { email: OWNER, password: PASSWORD, x: 'x'.repeat(90_000) } }),
    answers: { ...OK, body: { data: { id: 3 } } },
  },
  {
    says: 'an endpoint that writes answers a GET too',
    differs: 'A body has at most 100 kB',
    ask: async (world) =>
      world.ask('GET', '/RemoveSubject', { token: await world.signIn(OWNER), account: 1 }),
    answers: refused(405, 'method_not_allowed'),
  },
  {
    says: 'GET /getAllConversationlist lists all conversations at once',
    differs: 'Lists return 50 rows',
    ask: async (world) =>
      world.ask('GET', '/getAllConversationlist?limit=1', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { data: [{}], page: { limit: 1, nextCursor: anyText } } },
  },
  {
    says: 'a list takes the cursor of the page before',
    ask: async (world) => {
      const as = { token: await world.signIn(OWNER), account: 1 };
      const { body } = await world.ask('GET', '/getAllMemberslist?limit=1', as);
      const { nextCursor } = body['page'] as { nextCursor: string };
      return world.ask('GET', `/getAllMemberslist?limit=1&cursor=${encodeURIComponent(nextCursor)}`, as);
    },
    answers: { ...OK, body: { data: [{ id: 4 }] } },
  },
  {
    says: 'a refusal has status false, a message and an error, in JSON',
    ask: (world) => world.ask('POST', '/login', { body: { email: OWNER, password: 'wrong wrong' } }),
    answers: {
      status: 401,
      headers: { 'content-type': expect.stringMatching(/^application\/json/) as string },
      body: { status: false, message: anyText, error: { code: anyText }, requestId: anyText },
    },
  },
];
