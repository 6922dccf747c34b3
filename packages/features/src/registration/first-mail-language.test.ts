import { type RunningService, readOutbox, signInByPassword } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const start = () => startSocialWorld({ dialect, env: { NODE_ENV: 'development' } });

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };
const ada = { username: 'ada', password: 'Analytical-Engine-1843' };
const EMAIL = 'ada@lovelace.test';

const me = z.object({ member: z.object({ locale: z.string() }) });
const session = z.object({ token: z.string() });

async function localeOf(service: RunningService, token: string): Promise<string> {
  return me.parse(await (await service.send('/auth/me', { token })).json()).member.locale;
}

async function tokenIn(response: Response): Promise<string> {
  return session.parse(await response.json()).token;
}

describe('the first mail and later ones use the language', () => {
  it('that the browser of a registration prefers', async () => {
    await using world = await start();
    const { service } = world;
    const body = { ...ada, email: EMAIL };
    const token = await tokenIn(await service.send('/register', { body, headers: GERMAN }));
    expect(await localeOf(service, token)).toBe('de');
    expect(await readOutbox(service)).toMatchObject([{ kind: 'activation', subject: /E-Mail-Adresse/ }]);
  });

  it('that a registration names, whatever the browser prefers', async () => {
    await using world = await start();
    const { service } = world;
    const body = { ...ada, email: EMAIL, locale: 'en' };
    const token = await tokenIn(await service.send('/v1/registration/register', { body, headers: GERMAN }));
    expect(await localeOf(service, token)).toBe('en');
    const other = { ...body, username: 'ada2', email: 'ada2@lovelace.test', locale: 'fr' };
    expect((await service.send('/v1/registration/register', { body: other })).status).toBe(400);
  });

  it('of the page on which a person joins by an invitation', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await signInByPassword(service, 'owner@acme.test', 'Lantern-Harbor-42');
    const offer = { body: { email: EMAIL, roleType: 3 }, token: owner.token, accountId: 1 };
    expect((await service.send('/v1/invitation/create', offer)).status).toBe(200);
    const [mail] = await readOutbox(service);
    const body = { ...ada, token: mail?.token, locale: 'de' };
    const token = await tokenIn(await service.send('/v1/invitation/join', { body }));
    expect(await localeOf(service, token)).toBe('de');
  });

  it.each([
    ['de', 'de'],
    ['en', 'en'],
    ['fr', 'en'],
  ])('of the page %s on which a new person signs in through a provider', async (named, locale) => {
    await using world = await start();
    const { service } = world;
    const person = { email: EMAIL, isEmailVerified: false };
    const { token } = await socialSession(service, `google?locale=${named}`, person);
    expect(await localeOf(service, token)).toBe(locale);
    const isGerman = /E-Mail-Adresse/.test((await readOutbox(service))[0]?.subject ?? '');
    expect(isGerman).toBe(locale === 'de');
  });
});
