import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { ROBIN } from '@gatehouse/simulator';
import { type RunningService, readOutbox, signIn, signInByPassword } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { countRows } from '../test/count-rows.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const start = () => startSocialWorld({ dialect, env: { NODE_ENV: 'development' } });

const PASSWORD = 'Copper-Anchor-77';
const OWNER = { email: 'owner@acme.test', isEmailVerified: true };

const register = (service: RunningService, email: string) =>
  service.send('/register', {
    body: { username: `someone-${email.replace('@', '.')}`, password: PASSWORD, email },
  });

/** The reason for which a sign-in was refused without any change. */
async function refusalOf(
  service: RunningService,
  key: string,
  person: Partial<typeof ROBIN>,
): Promise<string | null> {
  const before = await countRows(service.database);
  const end = await createSocialBrowser(service).visit(`/social/${key}`, { person });
  expect(await countRows(service.database)).toEqual(before);
  return end.searchParams.get('error');
}

describe('an address that both sides have verified', () => {
  it('joins a first sign-in to the member who has it, and notifies them by mail', async () => {
    await using world = await start();
    const { service } = world;
    const person = { ...OWNER, email: 'OWNER@Acme.test' };
    const end = await createSocialBrowser(service).visit('/social/google', { person });
    expect(end.searchParams.get('connected')).toBe('google');
    const body = { social: true, token: end.searchParams.get('user') };
    const session = await (await service.send('/webauthenticate', { body })).json();
    expect(session).toMatchObject({ userId: 3 });
    const { mailOutbox, members } = service.database.tables;
    const mails = await service.database.select().from(mailOutbox);
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['newConnection', 'owner@acme.test'],
    ]);
    expect(await service.database.select().from(members)).toHaveLength(11);
    // From here on the identity decides, not the address, and nothing is connected.
    const known = await createSocialBrowser(service).visit('/social/google', { person });
    expect(known.searchParams.get('connected')).toBeNull();
    const again = await socialSession(service, 'google', { email: 'elsewhere@rivera.test' });
    expect(again.userId).toBe(3);
    await signIn(service, 'owner@acme.test');
  });

  it('is not enough for staff, who connect a provider themselves', async () => {
    await using world = await start();
    const person = { email: 'root@gatehouse.test', isEmailVerified: true };
    expect(await refusalOf(world.service, 'google', person)).toBe('link_required');
  });

  it('is not enough when the member is deleted or archived', async () => {
    await using world = await start();
    const person = { email: 'archived@acme.test', isEmailVerified: true };
    expect(await refusalOf(world.service, 'google', person)).toBe('link_required');
  });
});

describe('an address that the provider has not verified', () => {
  it('never joins a member', async () => {
    await using world = await start();
    for (const key of ['google', 'github', 'facebook', 'linkedin']) {
      const refusal = await refusalOf(world.service, key, { ...OWNER, isEmailVerified: false });
      expect([key, refusal]).toEqual([key, 'link_required']);
    }
  });

  it('must be confirmed when nobody has it', async () => {
    await using world = await start();
    const { service } = world;
    const { userId } = await socialSession(service, 'facebook');
    const { mailOutbox, members } = service.database.tables;
    const [mail] = await service.database.select().from(mailOutbox);
    expect(mail).toMatchObject({ kind: 'activation', recipient: ROBIN.email, memberId: userId });
    const member = (await service.database.select().from(members)).find(({ id }) => id === userId);
    expect(member).toMatchObject({ email: ROBIN.email, emailConfirmedAtMs: null });
    // The owner of the address, verified by another provider, does not get into that member.
    expect(await refusalOf(service, 'google', { id: '55', isEmailVerified: true })).toBe('link_required');
  });
});

describe('an address that another person registered in advance', () => {
  it('is never shared with its actual owner', async () => {
    await using world = await start();
    const { service } = world;
    expect((await register(service, ROBIN.email)).status).toBe(200);
    expect(await refusalOf(service, 'google', {})).toBe('link_required');
    expect(await refusalOf(service, 'facebook', {})).toBe('link_required');

    // A provider the attacker connected in advance is removed when the owner takes the member over.
    const { token } = await signInByPassword(service, ROBIN.email, PASSWORD);
    const begun = await service.send('/auth/connections/start', { token, body: { provider: 'github' } });
    const { url } = (await begun.json()) as { url: string };
    const end = await createSocialBrowser(service).visit(url, { person: { id: '666', email: '' } });
    const code = end.searchParams.get('code');
    expect((await service.send('/auth/connections/finish', { token, body: { code } })).status).toBe(200);
    await resetPassword(service, ROBIN.email);
    const intruder = await socialSession(service, 'github', { id: '666', email: '' });
    const owner = await signInByPassword(service, ROBIN.email, 'Velvet-Meadow-31');
    expect(intruder.userId).not.toBe(owner.userId);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
  });
});

describe('a member whose account is taken over by the owner of the address', () => {
  it('refuses sign-ins that are in progress in the same second', async () => {
    const nowMs = Date.now();
    await using world = await startSocialWorld({
      dialect,
      env: { NODE_ENV: 'development' },
      now: () => nowMs,
    });
    const { service } = world;
    expect((await register(service, ROBIN.email)).status).toBe(200);
    const intruder = { id: '666', email: '' };
    const { token } = await signInByPassword(service, ROBIN.email, PASSWORD);
    const begun = await service.send('/auth/connections/start', { token, body: { provider: 'github' } });
    const { url } = (await begun.json()) as { url: string };
    const connected = await createSocialBrowser(service).visit(url, { person: intruder });
    const code = connected.searchParams.get('code');
    expect((await service.send('/auth/connections/finish', { token, body: { code } })).status).toBe(200);
    const end = await createSocialBrowser(service).visit('/social/github', { person: intruder });
    const enter = { tempLogin: true, token: end.searchParams.get('user') };
    await resetPassword(service, ROBIN.email);
    expect((await service.send('/webauthenticate', { body: enter })).status).toBe(403);
  });
});

describe('a member without an address', () => {
  it('is identified by one identity at one provider', async () => {
    await using world = await start();
    const { service } = world;
    const one = await socialSession(service, 'twitter', { id: '1001' });
    const other = await socialSession(service, 'twitter', { id: '1002' });
    const tiktok = await socialSession(service, 'tiktok', { id: '1001' });
    expect(new Set([one.userId, other.userId, tiktok.userId]).size).toBe(3);
    expect((await socialSession(service, 'twitter', { id: '1001' })).userId).toBe(one.userId);
  });
});

describe('a first sign-in made eight times concurrently', () => {
  it.each(['google', 'tiktok'])('creates one member with %s', async (key) => {
    await using world = await start();
    const { service } = world;
    const sessions = await Promise.all(Array.from({ length: 8 }, () => socialSession(service, key)));
    expect(new Set(sessions.map(({ userId }) => userId)).size).toBe(1);
    const counts = await countRows(service.database);
    expect(counts).toMatchObject({ members: 12, accounts: 4, socialConnections: 1 });
  });
});

describe('a deleted or archived member', () => {
  it('is not signed in through a provider, nor created again', async () => {
    await using world = await start();
    const { service } = world;
    const { userId } = await socialSession(service, 'google', OWNER);
    expect(userId).toBe(3);
    await changeAccess(service.database, { members: [3] }, (tx) =>
      removeMember(tx, { memberId: 3, nowMs: 1 }),
    );
    expect(await refusalOf(service, 'google', OWNER)).toBe('invalid_credentials');
    expect(await refusalOf(service, 'github', OWNER)).toBe('link_required');
  });
});

async function resetPassword(service: RunningService, email: string): Promise<void> {
  await service.send('/forgotPassword', { body: { email } });
  const mail = (await readOutbox(service)).find(({ kind }) => kind === 'passwordReset');
  const response = await service.send('/resetPassword', {
    body: { token: mail?.token, password: 'Velvet-Meadow-31' },
  });
  expect(response.status).toBe(200);
}
