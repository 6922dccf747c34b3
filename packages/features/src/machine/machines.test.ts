import { randomUUID } from 'node:crypto';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { makeOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { sequenceEvents } from '@gatehouse/db/queries/events';
import {
  beginLateRequest,
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createAccessDirectory } from '../core/access/access-directory.js';
import { startMachineWorld } from '../test/machine-world.js';
import { insertTestMachine } from '../test/test-machines.js';
import { keyNotices } from './key-notices.js';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;
/** The scopes of a manager. */
const EVERYTHING = [
  'account.read',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'social.connect',
  'knowledge.analyze',
  'event.read',
] as const;
const rows = z.array(z.looseObject({ id: z.int() }));

/** A promise, and the function that fulfills it. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('a machine of an account', () => {
  it('may do with its key what scopes and role allow now, in its account only', async () => {
    await using world = await startMachineWorld();
    const { account1, machineId } = world;
    const { key } = await world.newKey(['member.list', 'member.manage', 'account.read']);
    const elsewhere = await world.account();
    expect(key).toMatch(/^gthk_[0-9A-Za-z]{39}$/);
    expect((await world.by(key, 'member.list')).status).toBe(200);
    expect((await world.by(key, 'member.list', {}, { accountId: account1.id })).status).toBe(200);
    const foreign = await world.by(key, 'member.list', {}, { accountId: elsewhere.id });
    expect(foreign).toMatchObject({ status: 403, code: 'account_forbidden' });
    expect(await world.by(key, 'conversation.list')).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });

    const role = { name: 'Narrow', roleType: 5, permissions: ['account.read'] };
    const { data } = await world.call('role.save', role, account1.as);
    const customRoleId = z.object({ id: z.int() }).parse(data).id;
    await world.call('machine.save', { machineId, name: 'Importer', customRoleId }, account1.as);
    for (const on of [world.service, world.other])
      expect(await world.by(key, 'member.list', {}, { on })).toMatchObject({ code: 'insufficient_scope' });
    expect((await world.call('role.remove', { customRoleId }, account1.as)).code).toBe('role_in_use');
  });

  it('is reported as a machine to the back end that verifies its key', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey(['member.list']);
    const response = await world.service.send('/auth/me', { bearer: key });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      member: { id: world.machineId, firstName: 'Importer', email: null },
      currentAccount: { accountId: world.account1.id, role: 2, permissions: ['member.list'] },
      key: { keyId: id },
      level: 1,
      isPersonnel: false,
      actor: null,
    });
    for (const path of ['/', '/auth/refresh']) {
      const { status } = await world.by(key, path);
      expect([path, [401, 403, 404, 405].includes(status)]).toEqual([path, true]);
    }
    expect((await world.by(key, '/')).status).toBe(403);
  });

  it('is refused calls that require a person or a fresh proof, unless they are open to programs', async () => {
    await using world = await startMachineWorld();
    const { account1 } = world;
    const { key } = await world.newKey([
      'member.list',
      'member.manage',
      'account.read',
      'event.read',
      'conversation.read',
      'subject.remove',
      'social.connect',
      'knowledge.analyze',
    ]);
    const refused = [
      'machine.list',
      'machine.save',
      'key.list',
      'key.create',
      'key.revoke',
      'session.list',
      'session.end',
      'session.refresh',
      'session.accessToken',
      'account.listMine',
      'account.close',
      'membership.leave',
      'member.exportOwn',
      'profile.update',
      'password.set',
      'email.change',
      'totp.start',
      'role.save',
      'member.detail',
    ];
    for (const name of refused) {
      const { status, code } = await world.by(key, name);
      expect([name, status, ['permission_denied', 'insufficient_scope'].includes(code ?? '')]).toEqual([
        name,
        403,
        true,
      ]);
    }
    const guest = await world.member();
    const invited = await world.by(key, 'invitation.create', { email: guest.email, roleType: 5 });
    expect([invited.status, invited.code]).toEqual([200, undefined]);
    expect(rows.parse((await world.by(key, 'invitation.list')).data)).toHaveLength(1);
    const mine = rows.parse((await world.call('invitation.listMine', {}, guest)).data);
    expect((await world.call('invitation.accept', { invitationId: mine[0]?.id }, guest)).status).toBe(200);
    const change = { memberId: guest.id, roleType: 4 };
    expect((await world.by(key, 'membership.changeRole', change)).status).toBe(200);
    const owner = rows.parse((await world.call('member.list', {}, account1.as)).data)[0]?.id ?? 0;
    for (const [name, input] of [
      ['membership.changeRole', { memberId: owner, roleType: 5 }],
      ['membership.changeRole', { memberId: guest.id, roleType: 1 }],
      ['membership.remove', { memberId: owner }],
      ['invitation.create', { email: 'new@many.test', roleType: 1 }],
    ] as const)
      expect([name, (await world.by(key, name, input)).code]).toEqual([name, 'permission_denied']);
    expect((await world.by(key, 'membership.remove', { memberId: guest.id })).status).toBe(200);
    const lines = await world.db.select().from(world.db.tables.auditLog);
    const byMachine = lines.filter(({ actorId }) => actorId === world.machineId);
    expect(byMachine.map(({ action }) => action)).toEqual([
      'invitation.created',
      'membership.changed',
      'membership.removed',
    ]);
    expect(byMachine.every(({ keyId }) => keyId !== null)).toBe(true);
  });

  it('is not in lists and counts of people, and no person can become one', async () => {
    await using world = await startMachineWorld();
    const { account1, machineId } = world;
    const { data } = await world.call('member.list', {}, account1.as);
    expect(rows.parse(data).map(({ id }) => id)).not.toContain(machineId);
    const found = await world.call('member.search', { username: 'Importer' }, account1.as);
    expect(found.data).toEqual([]);
    for (const [name, input] of [
      ['membership.changeRole', { memberId: machineId, roleType: 5 }],
      ['membership.remove', { memberId: machineId }],
    ] as const)
      expect([name, (await world.call(name, input, account1.as)).code]).toEqual([name, 'not_found']);
    const [row] = await world.db.select().from(world.db.tables.machines);
    const before = await world.db.select().from(world.db.tables.members);
    const member = before.find(({ id }) => id === row?.memberId);
    expect(member).toMatchObject({ email: null, isMachine: true, isDeleted: true, hasPassword: false });
    const login = { email: member?.username, password: 'password' };
    expect((await world.call('login.password', login, {})).status).not.toBe(200);
  });

  it('is refused when the account has fifty', async () => {
    await using world = await startMachineWorld();
    const save = (name: string) => world.call('machine.save', { name, roleType: 5 }, world.account1.as);
    for (let at = 1; at < 50; at += 1) expect((await save(`Machine ${at}`)).status).toBe(200);
    expect((await save('One more')).code).toBe('limit_reached');
  });

  it('is removed with its keys', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey([...EVERYTHING]);
    const guest = await world.member();
    const invite = { email: guest.email, roleType: 5 };
    expect((await world.by(key, 'invitation.create', invite)).status).toBe(200);
    const open = rows.parse((await world.call('invitation.listMine', {}, guest)).data);
    const removed = await world.call('machine.remove', { machineId: world.machineId }, world.account1.as);
    expect(removed.status).toBe(200);
    expect((await world.by(key, 'session.me', {}, { on: world.other })).status).toBe(401);
    const again = await world.call('machine.remove', { machineId: world.machineId }, world.account1.as);
    expect(again.code).toBe('not_found');
    // No identity provider vouches for what it offered.
    const accepted = await world.call('invitation.accept', { invitationId: open[0]?.id }, guest);
    expect([open.length, accepted.code]).toEqual([1, 'invitation_void']);
  });
});

describe('an API key', () => {
  it('is stored as a digest and shown once, and lists say which key it is', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey(['account.read'], { expiresInDays: 30, perMinute: 60 });
    const stored = JSON.stringify(await world.db.select().from(world.db.tables.apiKeys));
    expect(stored).not.toContain(key);
    await world.by(key, 'session.me');
    await world.service.services.keyUse.flush();
    const { data } = await world.call('key.list', {}, world.account1.as);
    expect(data).toMatchObject([
      {
        id,
        start: key.slice(0, 12),
        scopes: ['account.read'],
        perMinute: 60,
        revokedAt: null,
        lastUsedAt: expect.any(String),
      },
    ]);
  });

  it('has no scope that its machine or its creator lacks, and none that manages keys', async () => {
    await using world = await startMachineWorld({ roleType: 5 });
    const { account1, machineId } = world;
    const create = (input: object, as: object = account1.as) =>
      world.call('key.create', { machineId, name: 'K', scopes: ['account.read'], ...input }, as);
    expect((await create({ scopes: ['member.list'] })).code).toBe('permission_denied');
    expect((await create({ scopes: ['key.manage'] })).code).toBe('permission_denied');
    expect((await create({ scopes: ['nothing'] })).code).toBe('invalid_input');
    for (const input of [
      { scopes: [] },
      { expiresInDays: 366 },
      { perMinute: 6_001 },
      { addresses: ['192.0.2.0/33'] },
      { addresses: ['example.test'] },
      { addresses: Array.from({ length: 21 }, () => '192.0.2.1') },
    ])
      expect([input, (await create(input)).code]).toEqual([input, 'invalid_input']);
    const manager = await world.member({ memberships: { [account1.id]: 2 } });
    expect((await create({}, { token: manager.token, accountId: account1.id })).code).toBe(
      'permission_denied',
    );
    const foreign = await world.account();
    expect((await create({}, { token: foreign.owner.token, accountId: foreign.id })).code).toBe('not_found');
    const clicked = await world.member({ memberships: { [account1.id]: 1 }, isProven: false });
    expect((await create({}, { token: clicked.token, accountId: account1.id })).code).toBe('unconfirmed');
    for (let at = 0; at < 10; at += 1) expect((await create({})).status).toBe(200);
    expect((await create({})).code).toBe('limit_reached');
    const role = { name: 'Keys', roleType: 2, permissions: ['account.read', 'key.manage'] };
    expect((await world.call('role.save', role, account1.as)).code).toBe('invalid_input');
    expect((await world.call('machine.save', { name: 'Boss', roleType: 1 }, account1.as)).code).toBe(
      'invalid_input',
    );
  });

  it('is refused from the next request on once it is revoked, on every node', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey(['account.read']);
    for (const on of [world.service, world.other])
      expect((await world.by(key, 'session.me', {}, { on })).status).toBe(200);
    expect((await world.call('key.revoke', { keyId: id }, world.account1.as)).status).toBe(200);
    for (const on of [world.other, world.service])
      expect((await world.by(key, 'session.me', {}, { on })).status).toBe(401);
    expect((await world.call('key.revoke', { keyId: id }, world.account1.as)).status).toBe(200);
    const other = await world.account();
    const as = { token: other.owner.token, accountId: other.id };
    expect((await world.call('key.revoke', { keyId: id }, as)).code).toBe('not_found');
  });

  it('does nothing with a body that arrives after the key was revoked', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey([...EVERYTHING]);
    const late = await beginLateRequest(`${world.other.url}/v1/invitation/create`, {
      headers: { authorization: `Bearer ${key}` },
      body: { email: 'late@many.test', roleType: 5 },
    });
    expect((await world.call('key.revoke', { keyId: id }, world.account1.as)).status).toBe(200);
    expect(await late.finish()).toBe(401);
    expect(await world.db.select().from(world.db.tables.invitations)).toEqual([]);
  });

  it('writes nothing after its revocation was answered, while it is used on two nodes', async () => {
    await using world = await startMachineWorld();
    const { account1 } = world;
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = await world.newKey([...EVERYTHING]);
      const write = (on: RunningService, at: number) =>
        world.by(key, 'invitation.create', { email: `r${round}-${at}@many.test`, roleType: 5 }, { on });
      const writing = [world.service, world.other, world.other].map((on, at) => write(on, at));
      expect((await world.call('key.revoke', { keyId: id }, account1.as)).status).toBe(200);
      const after = await Promise.all([world.other, world.service].map((on) => write(on, 9)));
      expect(after.map(({ status }) => status)).toEqual([401, 401]);
      const outcomes = await Promise.all(writing);
      expect(outcomes.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
      const lines = await world.db.select().from(world.db.tables.auditLog);
      const written = lines.filter(({ keyId, action }) => keyId === id && action === 'invitation.created');
      expect(written).toHaveLength(outcomes.filter(({ status }) => status === 200).length);
    }
  });

  it('expires, and an unknown or altered one is refused', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(['account.read'], { expiresInDays: 1 });
    const unknown = makeOpaqueToken('apiKey');
    const loads = world.service.services.access.statistics.loads;
    for (const wrong of [
      `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      key.slice(0, -1),
      `${key}a`,
      'gthk_',
    ])
      expect((await world.by(wrong, 'session.me')).status).toBe(401);
    expect(world.service.services.access.statistics.loads).toBe(loads);
    expect((await world.by(unknown, 'session.me')).status).toBe(401);
    expect((await world.service.send('/v1/session/me', { token: key })).status).toBe(401);
    world.wait(DAY_MS);
    expect((await world.by(key, 'session.me')).status).toBe(401);
  });

  it('takes no more database reads than a session', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(['member.list']);
    const { statistics } = world.service.services.access;
    const call = async (as: object) => {
      const { loads, changeReads } = statistics;
      const response = await world.service.send('/v1/session/me', as);
      expect(response.status).toBe(200);
      return [statistics.loads - loads, statistics.changeReads - changeReads];
    };
    const bySession = { token: world.account1.as.token, accountId: world.account1.id };
    await call({ bearer: key });
    await call(bySession);
    expect(await call({ bearer: key })).toEqual(await call(bySession));
  });

  it('is read once for the first call with it, and read again after a change', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey(['member.list']);
    const digest = sha256Hex(key);
    const { access } = world.other.services;
    await access.current();
    const { loads } = access.statistics;
    for (let at = 0; at < 2; at += 1)
      expect((await access.key(digest))?.machine).toMatchObject({ id: world.machineId });
    // The key and its machine.
    expect(access.statistics.loads - loads).toBe(2);

    const [isRead, opened] = [gate(), gate()];
    let delays = 1;
    const delayed: typeof world.db = {
      ...world.db,
      async readRows(sql, params) {
        const found = await world.db.readRows(sql, params);
        if (!sql.includes('api_keys') || delays === 0) return found;
        delays = 0;
        isRead.open();
        await opened.passed;
        return found;
      },
    };
    const directory = createAccessDirectory(delayed, { now: () => Date.now() });
    await directory.current();
    const first = directory.key(digest);
    await isRead.passed;
    expect((await world.call('key.revoke', { keyId: id }, world.account1.as)).status).toBe(200);
    await directory.current();
    opened.open();
    expect((await first)?.state.revokedAtMs).toBeNull();
    await directory.current();
    expect((await directory.key(digest))?.state.revokedAtMs).not.toBeNull();
  });

  it('works only from its networks', async () => {
    await using world = await startMachineWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const { key } = await world.newKey(['account.read'], { addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const address of ['192.0.2.7', '2001:db8:1::1', '::ffff:192.0.2.9'])
      expect([address, (await world.by(key, 'session.me', {}, { address })).status]).toEqual([address, 200]);
    for (const address of ['192.0.3.7', '2001:db9::1', '10.0.0.1'])
      expect([address, (await world.by(key, 'session.me', {}, { address })).code]).toEqual([
        address,
        'address_refused',
      ]);
  });

  it('is not regarded as used by a call from another network', async () => {
    await using world = await startMachineWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const { key } = await world.newKey(['account.read'], { addresses: ['192.0.2.0/24'], perMinute: 2 });
    world.wait(60_000 - (Date.now() % 60_000));
    for (let at = 0; at < 4; at += 1)
      expect((await world.by(key, 'session.me', {}, { address: '10.0.0.1' })).code).toBe('address_refused');
    await world.service.services.keyUse.flush();
    const { data } = await world.call('key.list', {}, world.account1.as);
    expect(data).toMatchObject([{ lastUsedAt: null }]);
    expect((await world.by(key, 'session.me', {}, { address: '192.0.2.1' })).status).toBe(200);
  });

  it('has its networks in one notation, and an IPv6 network contains no IPv4 address', async () => {
    await using world = await startMachineWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const addresses = [
      '192.0.2.77/24',
      '::ffff:198.51.100.9/120',
      '::ffff:cb00:7107',
      '2001:DB8:1:ffff::1/40',
      '::/0',
    ];
    await world.newKey(['account.read'], { addresses });
    const { data } = await world.call('key.list', {}, world.account1.as);
    expect(data).toMatchObject([
      {
        addresses: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.7/32', '2001:db8::/40', '::/0'],
      },
    ]);
    const { key } = await world.newKey(['account.read'], {
      addresses: ['::/0', '::ffff:198.51.100.9/120', '::ffff:0:0/95'],
    });
    for (const [address, status] of [
      ['2001:db8::7', 200],
      ['198.51.100.200', 200],
      ['::ffff:198.51.100.200', 200],
      ['192.0.2.7', 403],
    ] as const)
      expect([address, (await world.by(key, 'session.me', {}, { address })).status]).toEqual([
        address,
        status,
      ]);
  });

  it('allows no more calls a minute than its limit, over all nodes and in batches too', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(['account.read'], { perMinute: 10 });
    // A minute begins, so that none ends during the test.
    world.wait(60_000 - (Date.now() % 60_000));
    const batch = await world.service.send(
      `/trpc/session.me,session.me,session.me,session.me?batch=1&input=${encodeURIComponent('{}')}`,
      { bearer: key },
    );
    expect(batch.status).toBe(200);
    for (let at = 0; at < 3; at += 1)
      expect((await world.by(key, 'session.me', {}, { on: world.other })).status).toBe(200);
    await world.other.services.keyUse.flush();
    // Each node learns of the others when it settles its own calls, at most a second later.
    expect((await world.by(key, 'session.me')).status).toBe(200);
    await world.service.services.keyUse.flush();
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await world.by(key, 'session.me')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await world.service.send('/v1/session/me', { bearer: key });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    world.wait(60_000);
    expect((await world.by(key, 'session.me')).status).toBe(200);
  });

  it('is replaced by a new key, and both work during the overlap', async () => {
    await using world = await startMachineWorld();
    const { account1 } = world;
    const first = await world.newKey(['account.read'], { expiresInDays: 200 });
    const rotate = async (keyId: number, overlapHours: number) => {
      const response = await world.service.send('/v1/key/rotate', {
        ...account1.as,
        body: { keyId, overlapHours },
      });
      const body = z
        .looseObject({
          key: z.string().optional(),
          data: z.looseObject({ id: z.int() }).optional(),
          error: z.object({ code: z.string() }).optional(),
        })
        .parse(await response.json());
      return { key: body.key ?? '', id: body.data?.id ?? 0, code: body.error?.code };
    };
    const works = async (key: string) =>
      (await world.by(key, 'session.me', {}, { on: world.other })).status === 200;
    const second = await rotate(first.id, 24);
    expect([await works(first.key), await works(second.key)]).toEqual([true, true]);
    expect((await rotate(first.id, 24)).code).toBe('key_ended');
    const third = await rotate(second.id, 24);
    // At most two live.
    expect([await works(first.key), await works(second.key), await works(third.key)]).toEqual([
      false,
      true,
      true,
    ]);
    const fourth = await rotate(third.id, 0);
    expect([await works(second.key), await works(third.key), await works(fourth.key)]).toEqual([
      false,
      false,
      true,
    ]);
    world.wait(25 * 3_600_000);
    expect(await works(fourth.key)).toBe(true);
  });

  it('ends together with the key that replaces it, when that one is revoked or leaks', async () => {
    await using world = await startMachineWorld();
    for (const end of ['key.revoke', 'key.reportLeaked']) {
      const first = await world.newKey(['account.read']);
      const body = { keyId: first.id, overlapHours: 24 };
      const rotated = await world.service.send('/v1/key/rotate', { ...world.account1.as, body });
      const { key, data } = z
        .object({ key: z.string(), data: z.looseObject({ id: z.int() }) })
        .parse(await rotated.json());
      expect((await world.by(first.key, 'session.me', {}, { on: world.other })).status).toBe(200);
      const input = end === 'key.revoke' ? { keyId: data.id } : { key };
      expect((await world.call(end, input, world.account1.as)).status).toBe(200);
      for (const each of [first.key, key])
        expect([end, (await world.by(each, 'session.me', {}, { on: world.other })).status]).toEqual([
          end,
          401,
        ]);
      const lines = await world.db.select().from(world.db.tables.auditLog);
      const revoked = lines
        .filter(({ action }) => action === 'key.revoked')
        .map(({ subjectId }) => subjectId);
      expect(revoked).toContain(String(first.id));
    }
  });

  it('can be revoked by anybody who has it, with the same answer for all, and its owners get a mail', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(['account.read']);
    const report = async (text: string) => {
      const response = await world.service.send('/v1/key/reportLeaked', { body: { key: text } });
      const { message } = z.looseObject({ message: z.string() }).parse(await response.json());
      return [response.status, message];
    };
    const answers = [
      await report('nothing'),
      await report(makeOpaqueToken('apiKey')),
      await report(key),
      await report(key),
    ];
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect((await world.by(key, 'session.me', {}, { on: world.other })).status).toBe(401);
    const mails = await readOutbox(world.service);
    expect(mails.filter(({ kind }) => kind === 'keyLeaked')).toHaveLength(1);
  });

  it('is announced by mail 14 and 3 days before its end, each once', async () => {
    await using world = await startMachineWorld();
    await world.newKey(['account.read'], { expiresInDays: 20 });
    const sent = async () => {
      for (const each of [world.service, world.other]) await keyNotices.run(each.services);
      return (await readOutbox(world.service)).filter(({ kind }) => kind === 'keyExpiring').length;
    };
    expect(await sent()).toBe(0);
    world.wait(6 * DAY_MS + 1_000);
    expect(await sent()).toBe(1);
    expect(await sent()).toBe(1);
    world.wait(11 * DAY_MS);
    expect(await sent()).toBe(2);
    world.wait(3 * DAY_MS);
    expect(await sent()).toBe(2);
  });

  it('has events, which name the machine that acts', async () => {
    await using world = await startMachineWorld();
    const { account1, machineId } = world;
    const { id, key } = await world.newKey([
      'event.read',
      'member.manage',
      'member.list',
      'account.read',
      'social.connect',
      'conversation.read',
      'subject.remove',
      'knowledge.analyze',
    ]);
    await world.by(key, 'invitation.create', { email: 'someone@many.test', roleType: 5 });
    await world.call('key.revoke', { keyId: id }, account1.as);
    const reader = await world.newKey(['event.read']);
    while ((await sequenceEvents(world.db, randomUUID(), 200)) > 0);
    const { data } = await world.by(reader.key, 'event.list');
    const kinds = z
      .array(
        z.looseObject({
          type: z.string(),
          actor: z.object({ kind: z.string(), id: z.int() }),
          data: z.unknown(),
        }),
      )
      .parse(data);
    expect(kinds.map(({ type, actor }) => [type, actor.kind])).toEqual([
      ['key.created', 'member'],
      ['invitation.created', 'machine'],
      ['key.revoked', 'member'],
      ['key.created', 'member'],
    ]);
    expect(kinds[0]?.data).toEqual({ keyId: id, machineId, name: 'Nightly' });
    expect(kinds[1]?.actor.id).toBe(machineId);
  });
});

describe('a machine of the staff', () => {
  it('may do on the admin service what its scopes say, reaches no account, and is not an administrator', async () => {
    await using world = await startMachineWorld();
    const env = developmentEnvironment();
    const options = { dialect, application: 'admin', env, database: world.db } as const;
    await using admin = await startService(createAdminApp, options);
    const root = await insertTestMember(world.db, { isPersonnel: true, roleType: 0, isConfirmed: true });
    const call = async (name: string, body: object, as: object) => {
      const response = await admin.send(`/v1/${name.replace('.', '/')}`, { ...as, body });
      const text = await response.text();
      const read = z
        .looseObject({ data: z.unknown().optional(), key: z.string().optional() })
        .extend({ error: z.object({ code: z.string() }).optional() })
        .parse(text.startsWith('{') ? JSON.parse(text) : {});
      return { status: response.status, code: read.error?.code, key: read.key ?? '', data: read.data };
    };
    const { data } = await call('machine.save', { name: 'Auditor' }, root);
    const machineId = z.object({ id: z.int() }).parse(data).id;
    const create = (scopes: string[]) => call('key.create', { machineId, name: 'K', scopes }, root);
    for (const scope of [
      'personnel.manage',
      'platformKey.manage',
      'platformApp.manage',
      'platformEvent.manage',
      'member.impersonate',
    ])
      expect([scope, (await create([scope])).code]).toEqual([scope, 'permission_denied']);
    expect((await create(['member.list'])).code).toBe('invalid_input');
    const { key } = await create(['audit.read']);
    const as = { bearer: key };
    const writer = { bearer: (await create(['webhook.read', 'affiliate.read', 'affiliate.manage'])).key };
    expect((await call('webhook.list', {}, writer)).status).toBe(200);
    const terms = { memberId: root.id, code: 'machine', commissionPercent: 1, payoutEmail: 'm@many.test' };
    for (const [name, input] of [
      ['webhook.replay', { id: 1 }],
      ['affiliate.save', terms],
    ] as const)
      expect([name, (await call(name, input, writer)).code]).toEqual([name, 'permission_denied']);
    expect((await call('audit.list', {}, as)).status).toBe(200);
    expect((await call('webhook.list', {}, as)).code).toBe('insufficient_scope');
    for (const name of [
      'member.search',
      'account.list',
      'member.page',
      'personnel.save',
      'machine.save',
      'key.create',
      'event.list',
      'resource.list',
      'account.remove',
      'impersonation.start',
    ])
      expect([name, (await call(name, {}, as)).status]).toEqual([name, 403]);
    for (const name of ['member.list', 'account.rename', 'event.list']) {
      const without = await world.by(key, name, {});
      const within = await world.by(key, name, {}, { accountId: world.account1.id });
      expect([name, without.status, within.code]).toEqual([name, 400, 'account_forbidden']);
    }
    const ofAccount = await world.newKey(['account.read']);
    expect((await call('audit.list', {}, { bearer: ofAccount.key })).status).toBe(403);
    expect((await world.call('machine.remove', { machineId }, world.account1.as)).code).toBe('not_found');
    const own = await call('machine.remove', { machineId: world.machineId }, root);
    expect(own.code).toBe('not_found');
  });

  it('is refused when there are fifty, even when several are created concurrently', async () => {
    await using world = await startMachineWorld();
    const options = { dialect, application: 'admin', database: world.db } as const;
    await using admin = await startService(createAdminApp, options);
    const root = await insertTestMember(world.db, { isPersonnel: true, roleType: 0, isConfirmed: true });
    for (let at = 0; at < 48; at += 1)
      await insertTestMachine(world.db, { accountId: null, createdById: root.id });
    const save = async (name: string) =>
      (await admin.send('/v1/machine/save', { token: root.token, body: { name } })).status;
    const made = await Promise.all(Array.from({ length: 8 }, (_, at) => save(`Machine ${at}`)));
    expect(made.toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409, 409, 409, 409, 409]);
  });
});
