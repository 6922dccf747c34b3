import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { ROBIN } from '@gatehouse/simulator';
import {
  createTestDatabase,
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  seedTestDatabase,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changeAddress } from '../registration/move-address.js';
import { exchange, loginTokenIn, partnerClient } from '../test/partner-client.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const start = () => startSocialWorld({ dialect, env: { NODE_ENV: 'development' } });
const PASSWORD = 'Copper-Anchor-77';
const VICTIM = ROBIN.email;
const INTRUDER = { id: '666', email: '' };

interface Planted {
  readonly userId: number;
  readonly token: string;
  /** The token in the activation mail to the address. */
  readonly link: string;
}

/** Somebody registers an address, their own or another person's. */
async function register(service: RunningService, email = VICTIM): Promise<Planted> {
  const response = await service.send('/register', {
    body: { username: `someone-${email.replace('@', '.')}`, password: PASSWORD, email },
  });
  const { token, userId } = (await response.json()) as { token: string; userId: number };
  const mail = (await readOutbox(service)).find(({ kind, to }) => kind === 'activation' && to === email);
  return { userId, token, link: mail?.token ?? '' };
}

const confirm = (service: RunningService, link: string, proof: { password?: string; token?: string } = {}) =>
  service.send('/confirmationDetails', {
    token: proof.token,
    body: { token: link, ...(proof.password === undefined ? {} : { password: proof.password }) },
  });

const isSignedIn = async (service: Pick<RunningService, 'send'>, token: string) =>
  (await service.send('/auth/me', { token })).status === 200;

const logIn = async (service: RunningService, password = PASSWORD, email = VICTIM) =>
  (await service.send('/webauthenticate', { body: { email, password } })).status;

/** Connects a provider's profile with a session, as its owner would. */
async function connect(service: RunningService, token: string): Promise<void> {
  const begun = await service.send('/auth/connections/start', { token, body: { provider: 'github' } });
  const { url } = (await begun.json()) as { url: string };
  const end = await createSocialBrowser(service).visit(url, { person: INTRUDER });
  const body = { code: end.searchParams.get('code') };
  expect((await service.send('/auth/connections/finish', { token, body })).status).toBe(200);
}

const noticesTo = async (service: RunningService, kind: string) =>
  (await readOutbox(service)).filter((mail) => mail.kind === kind && mail.to === VICTIM).length;

describe('an address whose owner clicked the link of another person’s registration', () => {
  it('belongs only to the owner once they sign in through a provider, on every node, and they are notified once', async () => {
    await using world = await start();
    const { service } = world;
    const planted = await register(service);
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      database: service.database,
    });
    expect((await confirm(service, planted.link)).status).toBe(200);
    await connect(service, planted.token);
    const second = await signInByPassword(service, VICTIM, PASSWORD);
    const bearer = await service.send('/authenticate', { body: { email: VICTIM, password: PASSWORD } });
    const { token: bearerToken } = (await bearer.json()) as { token: string };
    expect(await isSignedIn(other, planted.token)).toBe(true);
    await changeAccess(service.database, { members: [planted.userId] }, (tx) =>
      changeAddress(tx, service.services, { memberId: planted.userId, email: 'mallory@evil.test' }),
    );
    const move = (await readOutbox(service)).find(({ to }) => to === 'mallory@evil.test')?.token ?? '';

    const owner = await socialSession(service, 'google');
    expect(owner.userId).toBe(planted.userId);
    for (const node of [service, other]) {
      expect(await isSignedIn(node, planted.token)).toBe(false);
      expect(await isSignedIn(node, second.token)).toBe(false);
      expect((await node.send('/auth/me', { bearer: bearerToken })).status).toBe(401);
      expect(await isSignedIn(node, owner.token)).toBe(true);
    }
    expect(await logIn(service)).toBe(401);
    expect((await confirm(service, move)).status).toBe(403);
    expect((await socialSession(service, 'github', INTRUDER)).userId).not.toBe(planted.userId);
    expect(await noticesTo(service, 'signInsEnded')).toBe(1);

    // From here on nothing more ends, because the owner is proven.
    await socialSession(service, 'google');
    await socialSession(service, 'linkedin', { id: 'another', isEmailVerified: true });
    expect(await isSignedIn(service, owner.token)).toBe(true);
    expect(await noticesTo(service, 'signInsEnded')).toBe(1);
  });

  it('belongs only to the owner although eight of their sign-ins race with those of the member who registered', async () => {
    await using world = await start();
    const { service } = world;
    const planted = await register(service);
    await confirm(service, planted.link);
    const [owners, intruders] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => socialSession(service, 'google'))),
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const response = await service.send('/webauthenticate', {
            body: { email: VICTIM, password: PASSWORD },
          });
          return response.status === 200 ? ((await response.json()) as { token: string }).token : undefined;
        }),
      ),
    ]);
    expect(new Set(owners.map(({ userId }) => userId))).toEqual(new Set([planted.userId]));
    for (const token of [planted.token, ...intruders]) {
      if (token !== undefined) expect(await isSignedIn(service, token)).toBe(false);
    }
    for (const { token } of owners) expect(await isSignedIn(service, token)).toBe(true);
    expect(await noticesTo(service, 'signInsEnded')).toBe(1);
  });

  it('belongs only to the owner after a reset, connected profiles included', async () => {
    await using world = await start();
    const { service } = world;
    const planted = await register(service);
    await confirm(service, planted.link);
    await connect(service, planted.token);
    await service.send('/forgotPassword', { body: { email: VICTIM } });
    const mail = (await readOutbox(service)).find(({ kind }) => kind === 'passwordReset');
    const body = { token: mail?.token, password: 'Velvet-Meadow-31' };
    expect((await service.send('/resetPassword', { body })).status).toBe(200);
    expect(await isSignedIn(service, planted.token)).toBe(false);
    expect((await socialSession(service, 'github', INTRUDER)).userId).not.toBe(planted.userId);
    const told = (await readOutbox(service)).find(({ kind }) => kind === 'passwordChanged');
    expect(told?.text).toContain('connected providers');

    // A reset proves the owner, so their credentials stay when a provider vouches for them.
    const owner = await signInByPassword(service, VICTIM, 'Velvet-Meadow-31');
    await socialSession(service, 'google');
    expect(await isSignedIn(service, owner.token)).toBe(true);
    expect(await logIn(service, 'Velvet-Meadow-31')).toBe(200);
  });

  it('is not proven by a later sign-in with the password, nor by a change of it', async () => {
    await using world = await start();
    const { service } = world;
    const planted = await register(service);
    await confirm(service, planted.link);
    await signInByPassword(service, VICTIM, PASSWORD);
    const body = { currentPassword: PASSWORD, newPassword: 'Velvet-Meadow-31' };
    expect((await service.send('/auth/password', { token: planted.token, body })).status).toBe(200);
    await socialSession(service, 'google');
    expect(await isSignedIn(service, planted.token)).toBe(false);
    expect(await logIn(service, 'Velvet-Meadow-31')).toBe(401);
  });

  it.each([
    [
      'a session of somebody else',
      async (service: RunningService) => (await signIn(service, 'owner@acme.test')).token,
    ],
    [
      'a session that has ended',
      async (service: RunningService) => {
        const { token } = await signInByPassword(service, VICTIM, PASSWORD);
        await service.send('/auth/logout', { token, body: {} });
        return token;
      },
    ],
    ['no token at all', () => Promise.resolve('made-up')],
  ])('is confirmed and not proven with %s', async (_, tokenOf) => {
    await using world = await start();
    const { service } = world;
    const planted = await register(service);
    const token = await tokenOf(service);
    expect((await confirm(service, planted.link, { token })).status).toBe(200);
    await socialSession(service, 'google');
    expect(await isSignedIn(service, planted.token)).toBe(false);
  });
});

describe('an address whose owner also registered', () => {
  it.each([
    ['the session that registered', ({ token }: Planted) => ({ token })],
    ['the password', () => ({ password: PASSWORD })],
  ])(
    'keeps password, sessions and profiles at the first sign-in through a provider, proven by %s',
    async (_, proof) => {
      await using world = await start();
      const { service } = world;
      const own = await register(service);
      expect((await confirm(service, own.link, proof(own))).status).toBe(200);
      await connect(service, own.token);
      expect((await socialSession(service, 'google')).userId).toBe(own.userId);
      expect(await isSignedIn(service, own.token)).toBe(true);
      expect(await logIn(service)).toBe(200);
      expect((await socialSession(service, 'github', INTRUDER)).userId).toBe(own.userId);
      expect(await noticesTo(service, 'signInsEnded')).toBe(0);
    },
  );

  it('is asked again after a wrong password, and each one counts as a failed login', async () => {
    await using world = await start();
    const { service } = world;
    const own = await register(service);
    const statuses = [];
    for (let index = 0; index < 21; index += 1) {
      statuses.push((await confirm(service, own.link, { password: 'wrong-password' })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
    expect((await findCredentialById(service.database, own.userId))?.emailConfirmedAtMs).toBeNull();
    expect((await confirm(service, own.link)).status).toBe(200);
  });

  it('must prove the address again after it changes', async () => {
    await using world = await start();
    const { service } = world;
    const mallory = await register(service, 'mallory@evil.test');
    await confirm(service, mallory.link, { token: mallory.token });
    await changeAccess(service.database, { members: [mallory.userId] }, (tx) =>
      changeAddress(tx, service.services, { memberId: mallory.userId, email: VICTIM }),
    );
    const link = (await readOutbox(service)).find(({ to }) => to === VICTIM)?.token ?? '';
    expect((await confirm(service, link)).status).toBe(200);
    expect((await socialSession(service, 'google')).userId).toBe(mallory.userId);
    expect(await isSignedIn(service, mallory.token)).toBe(false);
    expect(await logIn(service)).toBe(401);
  });
});

describe('a member whom a partner created', () => {
  it('loses the sessions that the partner began at the first sign-in through a provider', async () => {
    await using world = await start();
    const { service } = world;
    const partner = await partnerClient(service);
    const { loginUrl } = await partner.register({ email: VICTIM });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    await service.send('/auth/resendConfirmation', { token, body: {} });
    const [mail] = await readOutbox(service);
    // A session begun by a partner proves nothing: the partner knows its token.
    expect((await confirm(service, mail?.token ?? '', { token })).status).toBe(200);
    await socialSession(service, 'google');
    expect(await isSignedIn(service, token)).toBe(false);
  });
});

describe('a sign-in by mail', () => {
  it('ends earlier ways to sign in as the first proof of the owner, once, and keeps its own session', async () => {
    await using own = await createTestDatabase(dialect);
    await seedTestDatabase(own.database);
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
      database: own.database,
    });
    const planted = await insertTestMember(own.database, { roleType: 1 });
    expect(await isSignedIn(service, planted.token)).toBe(true);
    const enter = async () => {
      await service.send('/Adminsignin', { body: { email: planted.email } });
      const [mail] = (await readOutbox(service)).filter(({ kind }) => kind === 'oneTimePassword');
      const password = /^ {4}([0-9a-f]{6})$/m.exec(mail?.text ?? '')?.[1];
      const response = await service.send('/Adminlogin', { body: { email: planted.email, password } });
      return (await response.json()) as { token: string };
    };
    const owner = await enter();
    expect(await isSignedIn(service, planted.token)).toBe(false);
    expect(await isSignedIn(service, owner.token)).toBe(true);
    const told = (await readOutbox(service)).filter(({ kind }) => kind === 'signInsEnded');
    expect(told.map(({ to }) => to)).toEqual([planted.email]);
  });
});
