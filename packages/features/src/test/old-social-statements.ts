import { expect } from 'vitest';
import { OK, type OldStatement } from './old-statement.js';
import { createSocialBrowser } from './social-browser.js';

const anyText = expect.any(String) as string;

const SCOPES: readonly [provider: string, scopes: string[]][] = [
  ['google', ['profile', 'email']],
  ['github', ['user:email']],
  ['facebook', ['email']],
  ['linkedin', ['openid', 'profile', 'w_member_social']],
  ['twitter', ['tweet.read', 'users.read', 'offline.access']],
  ['tiktok', ['user.info.basic', 'video.upload', 'video.publish']],
];

/** The sign-ins through social providers. */
export const SOCIAL_STATEMENTS: readonly OldStatement[] = [
  ...SCOPES.map(
    ([provider, scopes]): OldStatement => ({
      says: `GET /social/${provider} redirects to the provider and asks for ${scopes.join(' and ')}`,
      ask: async (world) => {
        const answer = await world.ask('GET', `/social/${provider}`);
        const asked = new URL(answer.headers.location ?? '').searchParams.get('scope') ?? '';
        return { ...answer, body: { asked: asked.split(/[ ,]/) } };
      },
      answers: { status: 302, body: { asked: expect.arrayContaining(scopes) as string[] } },
    }),
  ),
  {
    says: 'GET /social/linkedin asks for the pages of organizations',
    differs: 'LinkedIn is asked about organizations',
    ask: async (world) => {
      const answer = await world.ask('GET', '/social/linkedin');
      return { ...answer, text: new URL(answer.headers.location ?? '').searchParams.get('scope') ?? '' };
    },
    answers: { status: 302, text: expect.stringMatching(/^(?!.*organization)/) as string },
  },
  {
    says: 'the callback redirects to the front end with an encrypted token of ten minutes',
    ask: async (world) => {
      const end = await createSocialBrowser(world.main).visit('/social/google');
      const token = end.searchParams.get('user') ?? '';
      const answer = await world.ask('POST', '/webauthenticate', { body: { social: true, token } });
      return { ...answer, text: end.pathname };
    },
    answers: { ...OK, body: { token: anyText }, text: '/socialAuth' },
  },
  {
    says: 'the callback token holds the profile and the tokens of the provider',
    differs: 'The front end decrypts nothing',
    ask: async (world) => {
      const end = await createSocialBrowser(world.main).visit('/social/google');
      const answer = await world.ask('GET', '/healthz');
      return { ...answer, text: Object.keys(world.open(end.searchParams.get('user') ?? '')).join() };
    },
    answers: { text: expect.stringMatching(/^(?!.*(access|refresh|photo|name|email))/i) as string },
  },
  {
    says: 'a flow that began before a restart goes on only where the server session is',
    differs: 'A social sign-in that is under way during the move is begun again',
    ask: (world) =>
      world.ask('GET', '/social/google/callback?code=x&state=of-the-old-service', {
        headers: { cookie: 'connect.sid=s%3Aold.session' },
      }),
    answers: { status: 302, headers: { location: expect.stringContaining('/socialAuth?error=') as string } },
  },
];
