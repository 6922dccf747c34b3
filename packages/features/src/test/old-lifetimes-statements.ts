import { giveConsent } from '@gatehouse/simulator';
import jwt from 'jsonwebtoken';
import { expect } from 'vitest';
import { OK, type OldStatement, UNAUTHORIZED } from './old-statement.js';
import { newPerson, type OldWorld, OWNER, PASSWORD, ROOT } from './old-world.js';
import { createSocialBrowser } from './social-browser.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a token lives, in seconds. */
function lifeOf(token: string): number {
  const { exp = 0, iat = 0 } = jwt.decode(token) as { exp?: number; iat?: number };
  return exp - iat;
}

const activationToken = async (world: OldWorld) => {
  const person = newPerson();
  await world.ask('POST', '/register', { body: person });
  return /token=([\w.-]+)/.exec(await world.mailTo(person.email, 'activation'))?.[1] ?? '';
};

const callbackToken = async ({ main }: OldWorld) =>
  (await createSocialBrowser(main).visit('/social/google')).searchParams.get('user') ?? '';

/** Each token that ends: who makes it, and how long it lives. */
const LIVES: readonly [name: string, seconds: number, make: (world: OldWorld) => Promise<string>][] = [
  ['a session token lives seven days', 7 * DAY, (world) => world.signIn(OWNER)],
  ['a bearer token lives seven days', 7 * DAY, (world) => world.bearer(OWNER)],
  ['the token of an activation link lives seven days', 7 * DAY, activationToken],
  ['the token of a social callback lives ten minutes', 10 * MINUTE, callbackToken],
  ['a partner token lives an hour', HOUR, (world) => world.partnerToken()],
];

/** How long tokens live, and the variables that decide about tokens. */
export const LIFETIME_STATEMENTS: readonly OldStatement[] = [
  ...LIVES.map(
    ([says, seconds, make]): OldStatement => ({
      says,
      ask: async (world) => {
        const token = await make(world);
        return { ...(await world.ask('GET', '/healthz')), body: { seconds: lifeOf(token) } };
      },
      answers: { body: { seconds } },
    }),
  ),
  {
    says: 'a token of the admin service has no expiry',
    differs: '`tempLogin` refuses session tokens, and a token without `exp`',
    ask: async (world) => {
      const body = { email: ROOT, password: PASSWORD };
      const answer = await world.askAdmin('POST', '/webauthenticate', { body });
      return { ...answer, body: { seconds: lifeOf(String(answer.body['token'])) } };
    },
    answers: { status: 200, body: { seconds: 7 * DAY } },
  },
  {
    says: 'the token of an activation link has the type emailVerification',
    ask: async (world) => {
      const token = await activationToken(world);
      return { ...(await world.ask('GET', '/healthz')), body: world.open(token) };
    },
    answers: { body: { type: 'emailVerification', userId: expect.any(Number) as number } },
  },
  {
    says: 'JWT_EXPIRES_IN is the life of the tokens',
    ask: async (world) => {
      await using other = await world.configured({ JWT_EXPIRES_IN: '2h' });
      const lives = [await other.signIn(OWNER), await other.bearer(OWNER), await activationToken(other)].map(
        lifeOf,
      );
      return { ...(await other.ask('GET', '/healthz')), body: { lives } };
    },
    answers: { body: { lives: [2 * HOUR, 2 * HOUR, 2 * HOUR] } },
  },
  {
    says: 'JWT_SECRET_KEY opens the tokens, and another key opens none of them',
    ask: async (world) => {
      const token = await world.signIn(OWNER);
      await using other = await world.configured({ JWT_SECRET_KEY: 'another-key-'.repeat(4) });
      return await other.ask('GET', '/auth/me', { token });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'TOKEN_HEADER_KEY names the header of session tokens',
    ask: async (world) => {
      await using other = await world.configured({ TOKEN_HEADER_KEY: 'X-Session' });
      return await other.ask('GET', '/auth/me', { headers: { 'x-session': await other.signIn(OWNER) } });
    },
    answers: OK,
  },
  {
    says: 'the Token header counts for nothing where TOKEN_HEADER_KEY names another',
    ask: async (world) => {
      await using other = await world.configured({ TOKEN_HEADER_KEY: 'X-Session' });
      return await other.ask('GET', '/auth/me', { token: await other.signIn(OWNER) });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'a bearer token stays in Authorization, whatever TOKEN_HEADER_KEY names',
    ask: async (world) => {
      await using other = await world.configured({ TOKEN_HEADER_KEY: 'X-Session' });
      const authorization = `Bearer ${await other.bearer(OWNER)}`;
      return await other.ask('GET', '/', { headers: { authorization } });
    },
    answers: OK,
  },
  {
    says: 'SESSION_SECRET seals a social sign-in under way, and another secret does not open it',
    ask: async (world) => {
      const begun = await world.ask('GET', '/social/google');
      const back = new URL(await giveConsent(begun.headers.location ?? ''));
      const cookie = (begun.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
      const visit = (to: OldWorld) =>
        to.ask('GET', `${back.pathname}${back.search}`, { headers: { cookie } });
      await using other = await world.configured({ SESSION_SECRET: 'another-secret-'.repeat(4) });
      const refused = await visit(other);
      return { ...refused, text: (await visit(world)).headers.location ?? '' };
    },
    answers: {
      status: 302,
      headers: { location: expect.stringContaining('/socialAuth?error=') as string },
      text: expect.stringContaining('/socialAuth?user=') as string,
    },
  },
  {
    says: 'a provider signs people in with the client id and the secret of the environment alone',
    ask: async (world) => {
      await using other = await world.configured({ GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' });
      return await other.ask('GET', '/social/google');
    },
    answers: { status: 404, body: { error: { code: 'provider_not_configured' } } },
  },
];
