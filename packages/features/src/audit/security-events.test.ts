import { randomBytes } from 'node:crypto';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { insertTestMember, type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { confirmTestMember, insertTestInvitation, linkOf } from '../test/invitations.js';
import { memberKeyResealing } from './member-cipher.js';
import { securityEventRetention } from './security-events.js';

const dialect = inject('dialect');

const DAY_MS = 86_400_000;

const password = 'Lantern-Harbor-42';

const member = 'member@acme.test';

const start = (options: { now?: () => number; env?: Record<string, string> } = {}) =>
  startService(createApp, { dialect, application: 'web', ...options });

interface SeenEvent {
  id: number;
  at: string;
  kind: string;
  outcome: string;
  address: string | null;
  device: string | null;
  times: number;
  actor: { userId: number; name: string | null } | null;
}

async function events(service: RunningService, token: string): Promise<SeenEvent[]> {
  const response = await service.send('/v1/securityEvent/listMine', { token });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: SeenEvent[] }).data;
}

const login = (service: RunningService, email: string, secret: string) =>
  service.send('/webauthenticate', {
    body: { email, password: secret },
    headers: { 'user-agent': 'A browser' },
  });

describe('security events', () => {
  it("list a member's logins, and merge failures from one address in one minute", async () => {
    const clock = { nowMs: Math.floor(Date.now() / 60_000) * 60_000 };
    await using service = await start({ now: () => clock.nowMs, env: { LOGIN_FAILURES_PER_MEMBER: '6' } });
    for (let tries = 0; tries < 3; tries += 1) await login(service, member, 'wrong password');
    clock.nowMs += 60_000;
    await login(service, 'MEMBER.acme', 'wrong password');
    await login(service, member, 'wrong password');
    const opened = await login(service, member, password);
    const { token } = (await opened.json()) as { token: string };
    const seen = await events(service, token);
    expect(seen.map(({ kind, outcome, times }) => [kind, outcome, times])).toEqual([
      ['login', 'ok', 1],
      ['login', 'failed', expect.any(Number)],
      ['login', 'failed', 3],
    ]);
    expect(seen[0]).toMatchObject({
      at: new Date(clock.nowMs).toISOString(),
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      device: 'A browser',
      actor: null,
    });
    for (let tries = 0; tries < 9; tries += 1) await login(service, member, 'wrong password');
    expect((await events(service, token)).map(({ outcome }) => outcome)).toContain('locked');
  });

  it('distinguish a wrong password or code of a signed-in member from a refused login, and merge none of them', async () => {
    await using service = await start();
    const { token } = await signIn(service, member);
    const send = async (path: string, body: object) => (await service.send(path, { token, body })).status;
    expect(await send('/v1/verification/prove', { password: 'Wrong-Wrong-42' })).toBe(401);
    expect(await send('/v1/verification/sendEmail', {})).toBe(200);
    expect(await send('/v1/verification/prove', { emailCode: '00000000' })).toBe(401);
    expect(
      await send('/v1/password/change', {
        currentPassword: 'Wrong-Wrong-42',
        newPassword: 'Harbor-Lantern-77',
      }),
    ).toBe(401);
    expect(await send('/v1/verification/prove', { password })).toBe(200);
    expect(await send('/v1/totp/start', {})).toBe(200);
    expect(await send('/v1/totp/confirm', { code: '000000' })).toBe(401);
    const seen = await events(service, token);
    const refused = seen
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ kind, times }) => [kind, times]);
    expect(refused).toEqual([
      ['factor.setup', 1],
      ['verification', 3],
    ]);
  });

  it('list sessions, passwords and profiles only to the member, over tRPC too', async () => {
    await using service = await start();
    const [here, there] = [await signIn(service, member), await signIn(service, member)];
    await service.send('/auth/sessions/end', { token: here.token, body: { others: true } });
    const newPassword = 'Copper-Meadow-17';
    await service.send('/auth/password', {
      token: here.token,
      body: { currentPassword: password, newPassword },
    });
    expect((await service.send('/v1/securityEvent/listMine', { token: there.token })).status).toBe(401);
    const answer = await service.send('/trpc/securityEvent.listMine', { token: here.token });
    const { result } = (await answer.json()) as { result: { data: { data: SeenEvent[] } } };
    expect(result.data.data.map(({ kind }) => kind)).toEqual([
      'password.changed',
      'session.others-ended',
      'login',
      'login',
    ]);
    const other = await signIn(service, 'owner@acme.test');
    expect((await events(service, other.token)).map(({ kind }) => kind)).toEqual(['login']);
    const page = await service.send('/v1/securityEvent/listMine?limit=1', { token: here.token });
    const { data, page: next } = (await page.json()) as { data: SeenEvent[]; page: { nextCursor: string } };
    const rest = await service.send(`/v1/securityEvent/listMine?limit=9&cursor=${next.nextCursor}`, {
      token: here.token,
    });
    const { data: more } = (await rest.json()) as { data: SeenEvent[] };
    expect([...data, ...more].map(({ id }) => id)).toEqual(result.data.data.map(({ id }) => id));
  });

  it('list what staff did, and which staff', async () => {
    await using service = await start();
    await using admin = await startService(createAdminApp, {
      dialect,
      application: 'admin',
      database: service.database,
    });
    const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
    const subject = await insertTestMember(service.database, { memberships: { 1: 5 } });
    const saved = await admin.send('/v1/membership/save', {
      token: root.token,
      body: { memberId: subject.id, accountId: 1, roleType: 3 },
    });
    expect(saved.status).toBe(200);
    await admin.send('/v1/session/endFor', { token: root.token, body: { memberId: subject.id } });
    const seen = await events(service, await subject.signInAgain());
    expect(seen.map(({ kind, actor }) => [kind, actor?.userId])).toEqual([
      ['session.all-ended', root.id],
      ['membership.changed', root.id],
    ]);
    // The network address and client of staff are their own data.
    expect(seen.map(({ address, device }) => [address, device])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('are kept for 90 days, those of unknown login names for one day', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { securityEvents } = service.database.tables;
    const count = async () => (await service.database.select().from(securityEvents)).length;
    await login(service, member, password);
    await login(service, 'nobody@nowhere.test', password);
    expect(await count()).toBe(2);
    clock.nowMs += DAY_MS + 1;
    await securityEventRetention.run(service.services);
    expect(await count()).toBe(1);
    clock.nowMs += 88 * DAY_MS;
    expect(await securityEventRetention.run(service.services)).toBe(0);
    clock.nowMs += DAY_MS;
    expect(await securityEventRetention.run(service.services)).toBe(1);
    expect(await count()).toBe(0);
  });
});

describe('the audit log', () => {
  it('stores no address of a caller in the clear, whichever call wrote the entry', async () => {
    await using service = await start();
    const { database } = service;
    const { auditLog } = database.tables;
    const owner = await insertTestMember(database, { memberships: { 1: 1 } });
    const guest = await insertTestMember(database);
    await confirmTestMember(database, guest);
    const invite = (email?: string) =>
      insertTestInvitation(database, { accountId: 1, inviterId: owner.id, ...(email ? { email } : {}) });
    const subjectId = await database.insert(database.tables.subjects, {
      accountId: 1,
      name: 'Harbour',
      createdAtMs: Date.now(),
    });
    const [one, two] = [await invite(guest.email), await invite()];
    const token = await linkOf(service, two);
    const calls = [
      ['/v1/subject/remove', { subjectId }, owner.token],
      ['/v1/invitation/decline', { invitationId: one }, guest.token],
      ['/v1/invitation/join', { token, username: 'newcomer', password: 'Copper-Meadow-17' }, undefined],
    ] as const;
    for (const [path, body, session] of calls) {
      const headers = { token: session, body, accountId: 1 };
      const { status } = await service.send(path, session ? headers : { body });
      expect([path, status]).toEqual([path, 200]);
    }
    const rows = await database.select().from(auditLog);
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'subject.removed',
        'invitation.declined',
        'invitation.accepted',
        'member.registered',
      ]),
    );
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
  });

  it("can be read after the deployment's key was rotated and the old key removed", async () => {
    await using service = await start();
    const { database, services } = service;
    const { token } = await signIn(service, member);
    await service.send('/v1/profile/update', { token, body: { lastName: 'Lovelace' } });
    const keys = { old: services.config.DATA_ENCRYPTION_KEY, new: randomBytes(32).toString('base64') };
    const node = (env: Record<string, string>) =>
      startService(createAdminApp, { dialect, application: 'admin', database, env });
    {
      const env = { DATA_ENCRYPTION_KEY: keys.new, DATA_ENCRYPTION_KEY_PREVIOUS: keys.old };
      await using between = await node(env);
      expect(await memberKeyResealing.run(between.services)).toBeGreaterThan(0);
      expect(await memberKeyResealing.run(between.services)).toBe(0);
    }
    await using after = await node({ DATA_ENCRYPTION_KEY: keys.new });
    const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
    const body = { action: 'profile.updated' };
    const listed = await after.send('/v1/audit/list', { token: root.token, body });
    expect(await listed.json()).toMatchObject({ data: [{ after: { lastName: 'Lovelace' } }] });
  });

  it("encrypts personal values, and decrypts them for staff while the member's key exists", async () => {
    await using service = await start();
    await using admin = await startService(createAdminApp, {
      dialect,
      application: 'admin',
      database: service.database,
      env: { DATA_ENCRYPTION_KEY: service.services.config.DATA_ENCRYPTION_KEY },
    });
    const { auditLog, memberKeys } = service.database.tables;
    const subject = await signIn(service, member);
    await service.send('/v1/profile/update', { token: subject.token, body: { lastName: 'Lovelace' } });
    const rows = await service.database.select().from(auditLog);
    expect(JSON.stringify(rows)).not.toContain('Lovelace');
    expect(JSON.stringify(rows)).not.toContain('127.0.0.1');
    const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
    const listed = async () => {
      const response = await admin.send('/v1/audit/list', {
        token: root.token,
        body: { action: 'profile.updated' },
      });
      return ((await response.json()) as { data: { after: unknown; address: string | null }[] }).data;
    };
    expect(await listed()).toMatchObject([{ after: { lastName: 'Lovelace' }, address: expect.any(String) }]);
    await service.database.write(service.database.delete(memberKeys));
    expect(await listed()).toMatchObject([{ after: {}, address: null }]);
  });
});
