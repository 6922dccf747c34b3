import { createApp } from '@gatehouse/api-main/app';
import { sha256Hex } from '@gatehouse/auth-core';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  createTestDatabase,
  developmentEnvironment,
  insertTestMember,
  seedTestDatabase,
  signIn,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { queueCode } from '../authentication/second-factor/factor-codes.js';
import { tokenReused } from './kinds/token-reused.js';
import { mailDelivery } from './mail-delivery.js';
import { openMail, queueMail } from './queue-mail.js';

const dialect = inject('dialect');
const HOUR_MS = 3_600_000;
const PASSWORD = 'Analytical-Engine-1843';
const VICTIM = 'victim@elsewhere.test';

/** Two nodes over one database, with one clock. */
async function start() {
  const own = await createTestDatabase(dialect);
  const { database } = own;
  await seedTestDatabase(database);
  const clock = { nowMs: Date.now() };
  const env = { ...developmentEnvironment(), TRUSTED_PROXIES: '127.0.0.1' };
  const options = { dialect, application: 'web', database, env, now: () => clock.nowMs } as const;
  const [one, two] = [await startService(createApp, options), await startService(createApp, options)];
  let turn = 0;
  const mails = async (to: string, state = 'pending') =>
    (await database.select().from(database.tables.mailOutbox)).filter(
      (row) => row.recipient === to && row.state === state,
    );
  return {
    database,
    service: one,
    other: two,
    clock,
    mails,
    /** Each call goes to the next node, from its own address unless one is given. */
    async send(path: string, body: object, from: { address?: string; token?: string } = {}): Promise<string> {
      turn += 1;
      const { address = `198.51.${Math.floor(turn / 200)}.${turn % 200}`, token } = from;
      const node = turn % 2 ? one : two;
      const headers = { 'x-forwarded-for': address, ...(token === undefined ? {} : { accountid: '1' }) };
      const response = await node.send(path, { body, headers, ...(token === undefined ? {} : { token }) });
      const answer = (await response.json()) as Record<string, unknown>;
      return `${response.status} ${String(answer['message'])}`;
    },
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

type World = Awaited<ReturnType<typeof start>>;

async function plant({ service }: World): Promise<string> {
  const body = { username: 'planter', email: VICTIM, password: PASSWORD };
  const response = await service.send('/register', { body, headers: { 'x-forwarded-for': '192.0.2.66' } });
  return ((await response.json()) as { token: string }).token;
}

/** Everything by which a stranger makes us write to an address, once each. */
async function pester(world: World, planted: string, owner: string): Promise<Set<string>> {
  const at = { address: '192.0.2.66' };
  const answers = [
    await world.send('/forgotPassword', { email: VICTIM }),
    await world.send('/forgotPassword', { email: VICTIM }, at),
    await world.send('/v1/signIn/requestEmail', { email: VICTIM }),
    await world.send('/v1/signIn/requestEmail', { email: VICTIM }, at),
    await world.send('/Adminsignin', { email: VICTIM }),
    await world.send('/auth/resendConfirmation', {}, { ...at, token: planted }),
  ];
  await world.send('/v1/invitation/create', { email: VICTIM, roleType: 5 }, { token: owner });
  return new Set(answers);
}

describe('mails that strangers can cause', () => {
  it('are at most 10 an hour and 20 a day to one address, for any request from anywhere', async () => {
    await using world = await start();
    const planted = await plant(world);
    const owner = (await signIn(world.service, 'owner@acme.test')).token;
    const answers = await pester(world, planted, owner);
    for (let times = 0; times < 11; times += 1) expect(await pester(world, planted, owner)).toEqual(answers);
    const anHour = (await world.mails(VICTIM)).length;
    expect([9, 10]).toContain(anHour);
    for (let hours = 0; hours < 22; hours += 1) {
      world.clock.nowMs += HOUR_MS;
      await pester(world, planted, owner);
    }
    const aDay = (await world.mails(VICTIM)).length;
    expect([18, 19, 20]).toContain(aDay);
    world.clock.nowMs += 3 * HOUR_MS;
    await pester(world, planted, owner);
    expect((await world.mails(VICTIM)).length).toBeGreaterThan(aDay);
  });

  it('are counted as the kind that is sent: sign-in mails to an unconfirmed address use up no activations', async () => {
    await using world = await start();
    await plant(world);
    for (let times = 0; times < 20; times += 1)
      await world.send('/v1/signIn/requestEmail', { email: VICTIM });
    expect((await world.mails(VICTIM)).map(({ kind }) => kind)).toEqual([
      'activation',
      ...Array(5).fill('signInCode'),
    ]);
    const { token } = await signIn(world.service, 'owner@acme.test');
    await world.send('/v1/invitation/create', { email: VICTIM, roleType: 5 }, { token });
    expect((await world.mails(VICTIM)).at(-1)?.kind).toBe('invitation');
  });

  it('are at most 10 an hour and 20 a day, including the codes that sessions of an unproven member request', async () => {
    await using world = await start();
    const { database, clock } = world;
    const { id: memberId, email: to } = await insertTestMember(database, {
      isConfirmed: true,
      isProven: false,
    });
    const pesterOnce = async (turn: number) => {
      const services = (turn % 2 ? world.service : world.other).services;
      const boundKey = sha256Hex(`session ${clock.nowMs} ${turn}`);
      await database.transaction((tx) =>
        queueCode(tx, services, { memberId, boundKey, to, askedFrom: 'device' }),
      );
      await world.send('/forgotPassword', { email: to });
      await world.send('/v1/signIn/requestEmail', { email: to });
    };
    for (let turn = 0; turn < 6; turn += 1) await pesterOnce(turn);
    expect(await world.mails(to)).toHaveLength(5);
    for (let hours = 0; hours < 3; hours += 1) {
      clock.nowMs += HOUR_MS;
      for (let turn = 0; turn < 4; turn += 1) await pesterOnce(turn);
    }
    expect(await world.mails(to)).toHaveLength(10);
  });

  it("do not use up the owner's resets, however many invitations others send, and vice versa", async () => {
    await using world = await start();
    const { token } = await signIn(world.service, 'owner@acme.test');
    const kinds = async (to: string) => (await world.mails(to)).map(({ kind }) => kind);
    const first = await insertTestMember(world.database, { isConfirmed: true, isProven: true });
    const second = await insertTestMember(world.database, { isConfirmed: true, isProven: true });
    for (let times = 0; times < 8; times += 1) {
      const invitation = { email: first.email, roleType: 5 };
      await world.send('/v1/invitation/create', invitation, { token });
      await world.send('/forgotPassword', { email: second.email });
    }
    await world.send('/forgotPassword', { email: first.email });
    expect((await kinds(first.email)).at(-1)).toBe('passwordReset');
    await world.send('/v1/invitation/create', { email: second.email, roleType: 5 }, { token });
    expect((await kinds(second.email)).at(-1)).toBe('invitation');
  });

  it("do not use up the owner's own limit in familiar places", async () => {
    await using world = await start();
    const { service } = world;
    const email = 'owner@acme.test';
    const home = '192.0.2.1';
    const laptop = { 'x-device-id': 'laptop-of-the-owner-0001' };
    const login = { email, password: DEMONSTRATION_PASSWORD };
    await service.send('/webauthenticate', { body: login, headers: { 'x-forwarded-for': home, ...laptop } });
    for (const path of ['/forgotPassword', '/v1/signIn/requestEmail', '/Adminsignin'])
      for (let times = 0; times < 6; times += 1) await world.send(path, { email });
    expect(await world.mails(email)).toHaveLength(5);
    await world.send('/forgotPassword', { email }, { address: home });
    expect(await world.mails(email)).toHaveLength(6);
    const headers = { 'x-forwarded-for': '203.0.113.9', ...laptop };
    await service.send('/forgotPassword', { body: { email }, headers });
    expect(await world.mails(email)).toHaveLength(7);
  });

  it('above the limit are shown only to staff, without a text', async () => {
    await using world = await start();
    const planted = await plant(world);
    const owner = (await signIn(world.service, 'owner@acme.test')).token;
    for (let times = 0; times < 4; times += 1) await pester(world, planted, owner);
    const held = await world.mails(VICTIM, 'held');
    expect(held.length).toBeGreaterThan(10);
    expect(held.length).toBeLessThanOrEqual(20);
    expect(new Set(held.map(({ subject, text, html }) => subject + text + html))).toEqual(new Set(['']));
    world.clock.nowMs += HOUR_MS;
    while ((await mailDelivery.run(world.service.services)) > 0);
    expect(await world.mails(VICTIM, 'held')).toHaveLength(held.length);
    const read = { token: owner, headers: { accountid: '1' } };
    const listed = await (await world.service.send('/v1/invitation/list', read)).json();
    expect(JSON.stringify(listed)).not.toMatch(/held/);
  });
});

it('a mail whose subject has a long address is stored, with the subject cut', async () => {
  await using world = await start();
  const { database, service } = world;
  const inviterEmail = `${'a'.repeat(64)}@${'b'.repeat(245)}.test`;
  await database.transaction((tx) =>
    queueMail(tx, service.services, {
      kind: 'invitation',
      to: VICTIM,
      data: { link: 'x', inviterName: undefined, inviterEmail, accountName: 'Acme Studio', expiresAtMs: 0 },
    }),
  );
  const mails = await world.mails(VICTIM);
  const subjects = mails.map((mail) => openMail(service.services.cipher, mail.idempotencyKey, mail).subject);
  expect(subjects).toEqual([`${inviterEmail.slice(0, 254)}…`]);
});

describe('a notification mail', () => {
  const notice = { kind: 'passwordChanged', data: { atMs: 0, link: 'http://app.test/forgot' } } as const;

  it('above the hourly limit is part of one mail that counts all of them, on two nodes together', async () => {
    await using world = await start();
    const { database, clock } = world;
    const { id: memberId, email: to } = await insertTestMember(database, {
      isConfirmed: true,
      isProven: true,
    });
    const nodes = [world.service, world.other];
    const removed = { change: 'totpRemoved', atMs: 0, device: undefined, link: 'x' } as const;
    const write = (turn: number) => {
      const { services } = nodes[turn % 2] ?? world.service;
      return database.transaction((tx) =>
        turn % 3 === 0
          ? queueMail(tx, services, { kind: 'factorChanged', to, memberId, data: removed })
          : queueMail(tx, services, { ...notice, to, memberId }),
      );
    };
    const written = await Promise.all(Array.from({ length: 90 }, (_, turn) => write(turn)));
    expect(written).toEqual(Array(90).fill(true));
    const mails = await world.mails(to);
    expect(mails.filter(({ kind }) => kind === 'passwordChanged')).toHaveLength(20);
    expect(mails.filter(({ kind }) => kind === 'factorChanged')).toHaveLength(20);
    const merged = mails.filter(({ kind }) => kind === 'moreNotices');
    const total = (subject: string) => merged.reduce((sum, mail) => sum + (mail.merged?.[subject] ?? 0), 0);
    expect(total('Your password was changed')).toBe(40);
    expect(total('An authenticator app was removed')).toBe(10);
    expect(merged.length).toBeLessThanOrEqual(nodes.length);
    const texts = merged.map((mail) => openMail(world.service.services.cipher, mail.idempotencyKey, mail));
    expect(texts.map(({ text }) => text).join('\n')).toMatch(/\d+ × An authenticator app was removed/);
    clock.nowMs += 11 * 60_000;
    while ((await mailDelivery.run(world.service.services)) > 0);
    expect(await world.mails(to)).toEqual([]);
    expect(await world.mails(to, 'held')).toEqual([]);
  });

  it('above the hourly limit is counted without the names in its subject, however often they change', async () => {
    await using world = await start();
    const { database, service } = world;
    const { id: memberId, email: to } = await insertTestMember(database, {
      isConfirmed: true,
      isProven: true,
    });
    for (let turn = 0; turn < 23; turn += 1) {
      const name = `Acme ${turn}`;
      const names = { accountName: name, keyName: name, machineName: name };
      await database.transaction(async (tx) => {
        const mail = { to, memberId };
        const { services } = service;
        const data = { accountName: name, role: undefined, atMs: 0 };
        await queueMail(tx, services, { ...mail, kind: 'roleChanged', data });
        await queueMail(tx, services, { ...mail, kind: 'keyLeaked', data: { ...names, atMs: 0, link: 'x' } });
        const ended = { application: name, atMs: 0, link: 'x' };
        await queueMail(tx, services, { ...mail, kind: 'tokenReused', data: ended });
      });
    }
    const mails = await world.mails(to);
    const subjects = mails.map(
      (mail) => openMail(service.services.cipher, mail.idempotencyKey, mail).subject,
    );
    expect(subjects).toContain('Your role in “Acme 7” was changed');
    expect(mails.find(({ kind }) => kind === 'moreNotices')?.merged).toEqual({
      'Your role in an organization was changed': 3,
      'An API key was revoked': 3,
      'We ended the access of an app to your account': 3,
    });
    const { subject } = tokenReused.compose.de({ application: undefined, atMs: 0, link: 'x' });
    expect(subject).toBe('Wir haben den Zugriff von einer App auf dein Konto beendet');
  });

  it('to an address that its member never confirmed is not sent, and does not use up the limit of first mails', async () => {
    await using world = await start();
    const { database, service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    const planted = await plant(world);
    const activations = await world.mails(VICTIM);
    for (const [at, newPassword] of ['Analytical-Engine-1844', 'Analytical-Engine-1845'].entries()) {
      const currentPassword = at === 0 ? PASSWORD : 'Analytical-Engine-1844';
      await world.send('/auth/password', { currentPassword, newPassword }, { token: planted });
    }
    const rows = await database.select().from(database.tables.members);
    const planter = rows.find(({ email }) => email === VICTIM);
    const { id } = await insertTestMember(database, { isConfirmed: true, isProven: true });
    for (const memberId of [planter?.id ?? 0, id])
      for (let times = 0; times < 30; times += 1)
        await queueMail(database, service.services, { ...notice, to: VICTIM, memberId });
    expect(await world.mails(VICTIM)).toEqual(activations);
    await world.send('/v1/invitation/create', { email: VICTIM, roleType: 5 }, { token });
    expect((await world.mails(VICTIM)).at(-1)?.kind).toBe('invitation');
  });
});
