import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import {
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changeAddress } from './move-address.js';

const dialect = inject('dialect');

const start = ({ env = {}, ...options }: { now?: () => number; env?: Record<string, string> } = {}) =>
  startService(createApp, {
    dialect,
    application: 'web',
    env: { ...developmentEnvironment(), ...env },
    ...options,
  });

const owner = 'owner@acme.test';
const oldPassword = 'Lantern-Harbor-42';
const newPassword = 'Copper-Meadow-17';

const forgot = (service: RunningService, email: unknown) =>
  service.send('/forgotPassword', { body: { email } });

const reset = (service: RunningService, token: unknown, password: unknown = newPassword) =>
  service.send('/resetPassword', { body: { token, password } });

async function linkFor(service: RunningService, email: string): Promise<string> {
  expect((await forgot(service, email)).status).toBe(200);
  const [mail] = await readOutbox(service);
  expect(mail).toMatchObject({ kind: 'passwordReset', to: email });
  return mail?.token ?? '';
}

describe('a forgotten password', () => {
  it('is replaced by the mailed link: the new one signs in, the old one and every session end', async () => {
    await using service = await start();
    const sessions = await Promise.all([signIn(service, owner), signIn(service, owner)]);
    const bearer = await service.send('/authenticate', { body: { email: owner, password: oldPassword } });
    const { token: bearerToken } = (await bearer.json()) as { token: string };
    const link = await linkFor(service, owner);
    for (const { token } of sessions) expect((await service.send('/auth/me', { token })).status).toBe(200);

    expect((await reset(service, link)).status).toBe(200);
    for (const { token } of sessions) expect((await service.send('/auth/me', { token })).status).toBe(401);
    expect((await service.send('/auth/me', { bearer: bearerToken })).status).toBe(401);
    const old = await service.send('/webauthenticate', { body: { email: owner, password: oldPassword } });
    expect(old.status).toBe(401);
    await signInByPassword(service, owner, newPassword);
    expect((await readOutbox(service))[0]).toMatchObject({ kind: 'passwordChanged', to: owner });
  });

  it('proves the address, and removes what an attacker added before', async () => {
    await using service = await start();
    const { database, services } = service;
    const attacker = { username: 'mallory', email: 'victim@world.test', password: 'Planted-Before-99' };
    const registered = await service.send('/register', { body: attacker });
    const { userId, token: planted } = (await registered.json()) as { userId: number; token: string };
    const { socialConnections } = database.tables;
    const nowMs = services.now();
    await database.insert(socialConnections, {
      memberId: userId,
      providerId: 3,
      providerUserId: 'mallory-at-google',
      tokenStatus: 'valid',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    await changeAccess(database, { members: [userId] }, (tx) =>
      changeAddress(tx, services, { memberId: userId, email: 'mallory@evil.test' }),
    );
    const waiting = (await readOutbox(service)).find(({ to }) => to === 'mallory@evil.test')?.token;

    expect((await reset(service, await linkFor(service, 'victim@world.test'))).status).toBe(200);
    expect(await findMemberAddress(database, userId)).toMatchObject({
      email: 'victim@world.test',
      emailConfirmedAtMs: expect.any(Number),
      pendingEmail: null,
    });
    expect(await database.select().from(socialConnections)).toEqual([]);
    expect((await service.send('/auth/me', { token: planted })).status).toBe(401);
    const takeOver = await service.send('/confirmationDetails', { body: { token: waiting } });
    expect(takeOver.status).toBe(403);
  });

  it('ends sign-ins through a provider that began before it, and no later ones', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const sealed = (sessionEpoch: number) =>
      service.services.tokens.sealOneUse(
        { type: 'socialLogin', userId: 3, provider: 'google', sessionEpoch },
        600,
      ).token;
    const exchange = (token: string) => service.send('/webauthenticate', { body: { social: true, token } });
    const before = sealed(0);
    const link = await linkFor(service, owner);
    now += 2000;
    expect((await reset(service, link)).status).toBe(200);
    expect((await exchange(before)).status).toBe(403);
    expect((await exchange(sealed(1))).status).toBe(200);
  });

  it('unlocks a member locked by wrong guesses', async () => {
    await using service = await start();
    const guess = () =>
      service.send('/webauthenticate', { body: { email: owner, password: 'Wrong-Harbor-42' } });
    const statuses = new Set(
      (await Promise.all(Array.from({ length: 25 }, guess))).map(({ status }) => status),
    );
    expect(statuses).toContain(429);
    expect((await reset(service, await linkFor(service, owner))).status).toBe(200);
    await signInByPassword(service, owner, newPassword);
  });

  it('keeps the connections of a member whose address was proven', async () => {
    await using service = await start();
    const { socialConnections } = service.database.tables;
    const row = { memberId: 3, providerId: 3, providerUserId: 'own', tokenStatus: 'valid' as const };
    await service.database.insert(socialConnections, { ...row, createdAtMs: 1, updatedAtMs: 1 });
    expect((await reset(service, await linkFor(service, owner))).status).toBe(200);
    expect(await service.database.select().from(socialConnections)).toHaveLength(1);
  });
});

describe('a password-reset link', () => {
  it('works once in twenty concurrent uses, and voids the other links', async () => {
    await using service = await start();
    const sister = await linkFor(service, owner);
    const link = await linkFor(service, owner);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reset(service, link, `Copper-Meadow-${100 + index}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 403)).toHaveLength(19);
    await signInByPassword(service, owner, `Copper-Meadow-${100 + statuses.indexOf(200)}`);
    expect((await reset(service, sister)).status).toBe(403);
  });

  it('becomes invalid when its owner changes the password or the address', async () => {
    await using service = await start();
    const first = await linkFor(service, owner);
    const { token } = await signIn(service, owner);
    const changed = await service.send('/auth/password', {
      token,
      body: { currentPassword: oldPassword, newPassword: 'Silver-Orchard-5' },
    });
    expect(changed.status).toBe(200);
    expect((await reset(service, first)).status).toBe(403);
    expect((await reset(service, await linkFor(service, owner))).status).toBe(200);

    const second = await linkFor(service, owner);
    await changeAccess(service.database, { members: [3] }, (tx) =>
      changeAddress(tx, service.services, { memberId: 3, email: 'moved@acme.test' }),
    );
    const confirmation = (await readOutbox(service)).find(({ to }) => to === 'moved@acme.test')?.token;
    expect((await service.send('/confirmationDetails', { body: { token: confirmation } })).status).toBe(200);
    expect((await reset(service, second)).status).toBe(403);
  });

  it('to an address that was never proven outlives password changes, and ends with the first reset', async () => {
    await using service = await start();
    const planted = { username: 'mallory', email: 'victim@world.test', password: 'Planted-Before-99' };
    const { token } = (await (await service.send('/register', { body: planted })).json()) as {
      token: string;
    };
    const [first, second] = [await linkFor(service, planted.email), await linkFor(service, planted.email)];
    const answers: number[] = [];
    let currentPassword = planted.password;
    for (let times = 0; times < 11; times += 1) {
      const next = `Planted-After-${times}`;
      const body = { currentPassword, newPassword: next };
      const { status } = await service.send('/auth/password', { token, body });
      answers.push(status);
      if (status === 200) currentPassword = next;
    }
    expect(answers).toEqual([...Array(10).fill(200), 429]);
    const outcomes = await Promise.all([reset(service, first), reset(service, second)]);
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
    await signInByPassword(service, planted.email, newPassword);
    for (const link of [first, second]) expect((await reset(service, link)).status).toBe(403);
  });

  it('leads staff to the console whose address is configured, and nobody else', async () => {
    const console = async (service: RunningService, email: string) => {
      const answer = await reset(service, await linkFor(service, email));
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { console?: string }).console;
    };
    await using service = await start({ env: { ADMIN_URL: 'https://staff.example.test' } });
    expect(await console(service, 'root@gatehouse.test')).toBe('https://staff.example.test/console/');
    expect(await console(service, owner)).toBeUndefined();
    await using unconfigured = await start();
    expect(await console(unconfigured, 'root@gatehouse.test')).toBeUndefined();
  });

  it('is valid for half an hour', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const link = await linkFor(service, owner);
    now += 31 * 60_000;
    expect((await reset(service, link)).status).toBe(403);
    now -= 2 * 60_000;
    expect((await reset(service, link)).status).toBe(200);
  });

  it('is refused in every other shape and kind, and remains valid after a refused password', async () => {
    await using service = await start();
    const link = await linkFor(service, owner);
    const { token: session } = await signIn(service, owner);
    for (const token of ['', 'x', session, `${link}x`])
      expect((await reset(service, token)).status).toBe(403);
    for (const token of [null, 0, [], {}, true, [link]])
      expect((await reset(service, token)).status).toBe(400);
    for (const password of [
      '',
      'short',
      'x'.repeat(73),
      'password1234',
      owner,
      'owner.acme',
      null,
      0,
      {},
      [newPassword],
    ]) {
      expect([password, (await reset(service, link, password)).status]).toEqual([password, 400]);
    }
    const replayed = await service.send('/confirmationDetails', { body: { token: link } });
    expect(replayed.status).toBe(403);
    expect((await reset(service, link)).status).toBe(200);
  });
});

describe('requesting a reset', () => {
  it('answers the same for a member, a stranger, the deleted and the archived, and mails only the member', async () => {
    await using service = await start();
    const { members } = service.database.tables;
    const { database } = service;
    await database.insert(members, {
      sid: 'deleted@acme.test',
      sidKey: 'deleted@acme.test',
      username: 'deleted',
      usernameKey: 'deleted',
      firstName: '',
      firstNameKey: '',
      lastName: '',
      lastNameKey: '',
      email: 'deleted@acme.test',
      emailKey: 'deleted@acme.test',
      password: 'x',
      roleType: 5,
      role: 'User Member',
      isDeleted: true,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    const bodies = [];
    for (const email of [
      'nobody@acme.test',
      'deleted@acme.test',
      'archived@acme.test',
      '%',
      owner,
      'OWNER@acme.test',
    ]) {
      const response = await forgot(service, email);
      expect(response.status).toBe(200);
      bodies.push(JSON.stringify(await response.json()));
    }
    expect(new Set(bodies).size).toBe(1);
    expect((await readOutbox(service)).map(({ to }) => to)).toEqual([owner, owner]);
  });

  it('sends one address at most its hourly limit, without saying so', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const answers = await Promise.all(Array.from({ length: 20 }, () => forgot(service, owner)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await readOutbox(service)).toHaveLength(5);
    now += 3_600_001;
    await forgot(service, owner);
    expect(await readOutbox(service)).toHaveLength(6);
  });

  it('refuses an invalid login name', async () => {
    await using service = await start();
    for (const email of [null, 0, [], {}, true, '', 'a\r\nBcc: b@c.test', 'x'.repeat(400)]) {
      expect([email, (await forgot(service, email)).status]).toEqual([email, 400]);
    }
  });
});

describe('changing the password', () => {
  const change = (service: RunningService, token: string, body: object) =>
    service.send('/auth/password', { token, body });
  const wish = { currentPassword: oldPassword, newPassword };

  it('ends the other sessions, keeps the current one, and notifies the owner', async () => {
    await using service = await start();
    const [own, other] = await Promise.all([signIn(service, owner), signIn(service, owner)]);
    expect((await change(service, own.token, wish)).status).toBe(200);
    expect((await service.send('/auth/me', { token: own.token })).status).toBe(200);
    expect((await service.send('/auth/me', { token: other.token })).status).toBe(401);
    await signInByPassword(service, owner, newPassword);
    expect(await readOutbox(service)).toMatchObject([{ kind: 'passwordChanged', to: owner }]);
  });

  it('requires the current password, and succeeds for one of several concurrent calls', async () => {
    await using service = await start();
    const { token } = await signIn(service, owner);
    const wrong = await change(service, token, { ...wish, currentPassword: 'wrong' });
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { message: 'The current password is wrong.', error: { code: 'invalid_credentials' } },
    ]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        change(service, token, { ...wish, newPassword: `${newPassword}-${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect((await service.send('/auth/me', { token })).status).toBe(200);
  });

  it('checks the new password against the policy', async () => {
    await using service = await start();
    const { token } = await signIn(service, owner);
    for (const guess of ['short', 'password1234', owner, 'owner.acme', 'x'.repeat(73), null, 0, {}]) {
      const response = await change(service, token, { ...wish, newPassword: guess });
      expect([guess, response.status]).toEqual([guess, 400]);
      const { error } = (await response.json()) as { error: { issues: { path: string }[] } };
      expect(error.issues.map(({ path }) => path)).toContain('newPassword');
    }
    expect((await service.send('/auth/password', { body: wish })).status).toBe(401);
  });

  it('works for a member with a plain-text password as for everybody', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'legacy@acme.test');
    expect((await change(service, token, wish)).status).toBe(200);
    await signInByPassword(service, 'legacy@acme.test', newPassword);
  });
});
