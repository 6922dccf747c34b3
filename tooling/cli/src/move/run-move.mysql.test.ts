import { readFile, writeFile } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, passwordCost, usernameKey } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { changeStaffStatus } from '@gatehouse/db/queries/change-staff-status';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { findCredential, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { findConnection } from '@gatehouse/db/queries/read-connections';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { partnerSecretContext } from '@gatehouse/features/partner/rotate-partner-secret';
import { connectionSecretContext } from '@gatehouse/features/social/proven-identity';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { signInByPassword, startService, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataCipherIn } from '../operator-audit.js';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';
import { replacedBearer, replacedToken } from '../test/replaced-tokens.js';

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

async function startMoved(dialect: TestDialect, count: number) {
  const world = await startMoveWorld(dialect, count);
  await world.run('plan');
  const first = await world.run('run', '--map', 'move-map.yaml');
  return { world, first, again: () => world.run('run', '--map', 'move-map.yaml') };
}

const summaryOf = (said: readonly string[], kind: string) =>
  said.find((line) => line.startsWith(`${kind}: `));

async function countsOf({ database }: MoveWorld) {
  const {
    members,
    accounts,
    memberships,
    personnelGrants,
    socialConnections,
    messages,
    participants,
    movedRows,
  } = database.tables;
  const tables = {
    members,
    accounts,
    memberships,
    personnelGrants,
    socialConnections,
    messages,
    participants,
    movedRows,
  };
  const counts: Record<string, number> = {};
  for (const [name, table] of Object.entries(tables))
    counts[name] = (await database.select().from(table)).length;
  return counts;
}

describe.each(DIALECTS)('a move into %s', { timeout: 120_000 }, (dialect) => {
  it('moves everybody it can, and lets them sign in to a running service with their old passwords and tokens', async () => {
    const { world, first } = await startMoved(dialect, 1000);
    await using mover = world;
    const lost = mover.people.filter(({ flaw }) => flaw !== undefined && flaw !== 'damaged');
    expect(first.code).toBe(1);
    expect(summaryOf(first.said, 'members')).toBe(
      `members: ${1000 - lost.length} added, 0 changed, 0 as they were, ${lost.length} with a problem, 0 left out because of them`,
    );
    expect(first.said.join('\n')).not.toMatch(/-Before-1|\$2b\$/);
    expect(await countsOf(mover)).toMatchObject({
      members: 1000 - lost.length,
      accounts: 100,
      memberships: 1000 - lost.length,
      personnelGrants: 2,
      socialConnections: 3,
      messages: 2,
      participants: 2,
    });
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database: mover.database,
    });
    for (const id of [1, 5, 7, 11, 13, 57, 107]) {
      const person = mover.people[id - 1];
      const signedIn = await signInByPassword(service, person?.sid ?? '', person?.password);
      expect([id, signedIn.userId]).toEqual([id, id]);
    }
    const secret = mover.env['JWT_SECRET_KEY'] ?? '';
    const payload = { userId: 5, role: 5, defaultPaymentId: 2, accountId: 1, isPersonnel: false };
    const token = replacedToken(payload, secret, Date.now());
    const own = await service.send('/auth/me', { token, accountId: 1 });
    expect([own.status, await own.json()]).toMatchObject([200, { member: { id: 5 } }]);
    const Authorization = `Bearer ${replacedBearer({ userId: 5, role: 5 }, secret, Date.now())}`;
    expect((await service.send('/', { headers: { Authorization } })).status).toBe(200);
  });

  it('keeps the ids of accounts, partners, subscriptions and their customers, roles, grants, content, and the tokens of connections', async () => {
    const { world } = await startMoved(dialect, 60);
    await using mover = world;
    const { database: db } = mover;
    expect(await findAccessSnapshot(db, 2, Date.now())).toMatchObject({
      isPersonnel: true,
      roleType: 6,
      grants: [3],
      memberships: [{ accountId: 1, roleType: 4 }],
    });
    const accounts = await db.select().from(db.tables.accounts);
    expect(accounts.slice(0, 2).map(({ id, ownerId }) => [id, ownerId])).toEqual([
      [1, 1],
      [2, 11],
    ]);
    expect(await findSubscription(db, 2)).toMatchObject({
      state: 'canceled',
      provider: 'paddle',
      providerCustomerId: 'cus_2',
      providerSubscriptionId: 'sub_2',
    });
    expect(await db.select().from(db.tables.partners)).toMatchObject([
      { name: 'Nordwind GmbH', externalId: '4711', appUrl: 'https://nordwind.example' },
    ]);
    const found = await db.select().from(db.tables.socialConnections);
    expect(
      found.map(({ memberId, providerId, providerUserId, tokenStatus }) => [
        memberId,
        providerId,
        providerUserId,
        tokenStatus,
      ]),
    ).toEqual([
      [5, 1, '10001', 'valid'],
      [5, 2, '20001', 'expired'],
      [6, 4, 'li-1', 'valid'],
    ]);
    const [first] = found;
    const cipher = dataCipherIn(mover.env);
    const identity = { providerId: 1, providerUserId: '10001' };
    expect(cipher.open(first?.accessToken ?? '', connectionSecretContext(identity, 'accessToken'))).toBe(
      'access-5-1',
    );
    expect(cipher.open(first?.refreshToken ?? '', connectionSecretContext(identity, 'refreshToken'))).toBe(
      'refresh-5-1',
    );
    expect(await findConnection(db, identity)).toMatchObject({ memberId: 5 });
    expect(await db.select().from(db.tables.messages)).toMatchObject([
      {
        id: 21,
        conversationId: 8,
        memberId: 1,
        body: 'To the sea 🌊',
        createdAtMs: Date.UTC(2021, 1, 3, 4, 5, 7),
      },
      { id: 22, body: 'לים' },
    ]);
    expect(await db.select().from(db.tables.affiliates)).toMatchObject([
      { memberId: 5, code: 'ANN-5', commissionBasisPoints: 1250, payoutEmail: 'm5@old.test' },
    ]);
  });

  it('moves what changed when it is run again, and does not change anything else or what was done here', async () => {
    const { world, again } = await startMoved(dialect, 60);
    await using mover = world;
    const { database: db, old } = mover;
    const before = await countsOf(mover);
    const second = await again();
    expect(await countsOf(mover)).toEqual(before);
    expect(summaryOf(second.said, 'members')).toMatch(/^members: 0 added, 0 changed, \d+ as they were/);
    await old.run("update members set username = 'Renamed', password = 'Changed-Before-2' where id = 5");
    await old.run('update members set isDeleted = 1 where id = 6');
    await old.run("update members set username = 'member 1' where id = 12");
    await old.run('update account_members set roleType = 2 where memberId = 14');
    await old.run('update personnel_accounts set isDeleted = 0 where accountId = 4');
    await old.run(
      "update social_connections set accessToken = 'newer' where provider_Id = 1 and memberId = 5",
    );
    await old.run("update messages set message = 'To the hills' where id = 21");
    await old.insert('members', [
      { id: 61, sid: 'new@old.test', username: 'New', role_type: 5, password: 'New-Before-1' },
    ]);
    const { said } = await again();
    expect(summaryOf(said, 'members')).toMatch(/^members: 1 added, 2 changed, /);
    expect(said).toContain('member 12: member 1 has this username, or one that looks like it');
    expect(summaryOf(said, 'memberships')).toMatch(/^memberships: 0 added, 1 changed, /);
    await using service = await startService(createApp, { dialect, application: 'web', database: db });
    expect(await signInByPassword(service, 'm5@old.test', 'Changed-Before-2')).toMatchObject({ userId: 5 });
    expect(await signInByPassword(service, 'new@old.test', 'New-Before-1')).toMatchObject({ userId: 61 });
    expect(await findAccessSnapshot(db, 6, Date.now())).toMatchObject({ isDeleted: true });
    expect(await findAccessSnapshot(db, 14, Date.now())).toMatchObject({
      memberships: [{ accountId: 2, roleType: 2 }],
    });
    expect(await findAccessSnapshot(db, 2, Date.now())).toMatchObject({ grants: [3, 4] });
    expect(await db.select().from(db.tables.messages)).toMatchObject([{ body: 'To the hills' }, { id: 22 }]);
    const third = await again();
    expect(summaryOf(third.said, 'members')).toMatch(/^members: 0 added, 0 changed, /);
    const lines = await listAudit(db, { action: 'rows.imported' }, { limit: 50 });
    expect(lines.map(({ after }) => after)).toContainEqual({ changed: { messages: 1 } });
  });

  it('keeps an address that was changed here, and says so', async () => {
    const { world, again } = await startMoved(dialect, 60);
    await using mover = world;
    const { database: db, old } = mover;
    for (const [column, value] of [
      ['email', 'here@new.test'],
      ['email_key', 'here@new.test'],
      ['factor_epoch', 1],
    ] as const)
      await changeColumn(db, { table: 'members', column, id: 5 }, value);
    await old.run("update members set username = 'Renamed' where id = 5");
    const { said } = await again();
    expect(said).toContain(
      'member 5: has changed the address or second factors here, and has another address there: change it here',
    );
    const [row] = (await db.select().from(db.tables.members)).filter(({ id }) => id === 5);
    expect(row).toMatchObject({ email: 'here@new.test' });
    expect(row?.username).not.toBe('Renamed');
  });

  it('gives nobody more staff authority than they may have here, however the old database changes', async () => {
    const { world, again } = await startMoved(dialect, 60);
    await using mover = world;
    await mover.old.run('update members set role_type = 0 where id = 2');
    await mover.old.run('insert into personnel_accounts (personnelId, accountId) values (5, 1)');
    const { said } = await again();
    expect(said).toContain('member 2: changed there as staff: change here what they may do');
    expect(said).toContain('member 5: changed there as staff: change here what they may do');
    expect(said).toContain('access of staff 3: member 5 is not there, or not staff');
    expect(await findAccessSnapshot(mover.database, 2, Date.now())).toMatchObject({ roleType: 6 });
    expect(await findAccessSnapshot(mover.database, 5, Date.now())).toMatchObject({
      isPersonnel: false,
      grants: [],
    });
  });

  it('makes only those members staff whose access is valid there', async () => {
    await using mover = await startMoveWorld(dialect, 20);
    await mover.old.run('update members set role_type = 0 where id in (2, 3, 4)');
    await mover.old.run('update personnel_accounts set isDeleted = 1 where personnelId = 2');
    await mover.old.run('insert into personnel_accounts (personnelId, accountId, active) values (3, 1, 0)');
    await mover.old.run('insert into personnel_accounts (personnelId, accountId) values (4, 1), (4, 2)');
    await mover.run('plan');
    await mover.run('run', '--map', 'move-map.yaml');
    const staff = (await mover.database.select().from(mover.database.tables.members))
      .filter(({ isPersonnel }) => isPersonnel)
      .map(({ id }) => id);
    expect(staff).toEqual([4]);
  });

  it('restores no access that was ended here, and restores access that was moved as ended', async () => {
    const { world, again } = await startMoved(dialect, 60);
    await using mover = world;
    const { database: db, old } = mover;
    await old.run('update account_members set isDeleted = 1 where memberId = 15');
    await again();
    const nowMs = Date.now();
    await changeAccess(db, { members: [14] }, (tx) =>
      removeMembership(tx, { memberId: 14, accountId: 2, nowMs }),
    );
    await changeAccess(db, { members: [2] }, (tx) =>
      changeStaffStatus(
        tx,
        { memberId: 2, nowMs },
        (staff) => removePersonnelGrant(staff, { personnelId: 2, accountId: 3, nowMs }),
        async () => undefined,
      ),
    );
    await old.run('update account_members set roleType = 2 where memberId = 14');
    await old.run('update account_members set isDeleted = 0 where memberId = 15');
    await old.run('update personnel_accounts set active = 0 where accountId = 3');
    const meanwhile = await again();
    expect(meanwhile.said).toContain('access of staff 1: was ended here, and stays so');
    await old.run('update personnel_accounts set active = 1 where accountId = 3');
    // A person whose access ended on both sides is not a problem.
    await changeAccess(db, { members: [17] }, (tx) =>
      removeMembership(tx, { memberId: 17, accountId: 2, nowMs }),
    );
    await old.run('update account_members set isDeleted = 1 where memberId = 17');
    const { code, said } = await again();
    expect(said.filter((line) => line.startsWith('membership 17'))).toEqual([]);
    expect(code).toBe(1);
    expect(said).toContain('membership 14: was ended here or awaits an owner, and stays so');
    expect(await findAccessSnapshot(db, 14, Date.now())).toMatchObject({ memberships: [] });
    expect(await findAccessSnapshot(db, 15, Date.now())).toMatchObject({ memberships: [{ accountId: 2 }] });
    expect(await findAccessSnapshot(db, 2, Date.now())).toMatchObject({ grants: [] });
  });

  it('adds a confirmation of the address that came later, and the check reports it as missing until then', async () => {
    await using mover = await startMoveWorld(dialect, 20);
    const { database: db, old } = mover;
    await old.run('alter table members add confirmed int not null default 0');
    await mover.run('plan');
    await mover.run('run', '--map', 'move-map.yaml');
    const member = async () => (await db.select().from(db.tables.members)).find(({ id }) => id === 5);
    expect(await member()).toMatchObject({ emailConfirmedAtMs: null, ownerProvenAtMs: null });
    // Nobody there has confirmed the factors that were added here.
    await changeColumn(db, { table: 'members', column: 'factor_epoch', id: 6 }, 1);
    await old.run('update members set confirmed = 1 where id in (5, 6)');
    await mover.run('run', '--map', 'move-map.yaml');
    const added = (await db.select().from(db.tables.members)).find(({ id }) => id === 6);
    expect(added).toMatchObject({ emailConfirmedAtMs: expect.any(Number), ownerProvenAtMs: null });
    expect(await member()).toMatchObject({
      emailConfirmedAtMs: expect.any(Number),
      ownerProvenAtMs: expect.any(Number),
    });
    await changeColumn(db, { table: 'members', column: 'email_confirmed_at_ms', id: 5 }, null);
    const { said } = await mover.run('check', '--map', 'move-map.yaml');
    expect(said).toContain(
      JSON.stringify({
        kind: 'members',
        key: '5',
        is: 'different',
        field: 'confirmed',
        old: true,
        here: false,
      }),
    );
  });

  it('turns a text that is not a hash into a password only with --plain-passwords', async () => {
    await using mover = await startMoveWorld(dialect, 60, { arePlain: false });
    const plan = await mover.run('plan');
    expect(plan.said).toContain(
      'member 7: comes without its password, which a reset by mail replaces: it is no hash that is known; if such texts are the passwords themselves, give --plain-passwords',
    );
    await mover.run('run', '--map', 'move-map.yaml');
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database: mover.database,
    });
    const body = { email: 'm7@old.test', password: 'Plain-Before-1' };
    expect((await service.send('/webauthenticate', { body })).status).toBe(401);
    await mover.run('run', '--map', 'move-map.yaml', '--plain-passwords');
    expect((await service.send('/webauthenticate', { body })).status).toBe(200);
  });

  it("does not make a person owner of an account where their role only had an owner's name", async () => {
    await using mover = await startMoveWorld(dialect, 20);
    const { old } = mover;
    await old.run(
      'update account_members set roleType = case roleType when 1 then 2 when 2 then 1 else roleType end',
    );
    await mover.run('plan');
    const path = `${mover.folder}/move-map.yaml`;
    const map = await readFile(path, 'utf8');
    const renamed = map.replace(
      /( {2}memberships:\n(?:.*\n)*?)( {4}values:) \{\}/,
      '$1$2 { roleType: { "1": 2, "2": 1 } }',
    );
    expect(renamed).not.toBe(map);
    await writeFile(path, renamed);
    await mover.run('run', '--map', 'move-map.yaml');
    const accounts = await mover.database.select().from(mover.database.tables.accounts);
    expect(accounts.map(({ id, ownerId }) => [id, ownerId])).toEqual([
      [1, 1],
      [2, 11],
    ]);
  });

  it('checks every row and field, reports each difference as JSON, and none for rows that were moved completely', async () => {
    const { world } = await startMoved(dialect, 60);
    await using mover = world;
    const check = async () => {
      const { code, said } = await mover.run('check', '--map', 'move-map.yaml');
      const lines = said.map((line) => differenceOf(JSON.parse(line)));
      return {
        code,
        text: said.join('\n'),
        lines: lines.filter(({ is }) => is !== 'compared' && is !== 'end'),
      };
    };
    const first = await check();
    const flaws = mover.people
      .filter(({ flaw }) => flaw !== undefined && flaw !== 'damaged')
      .map(({ id }) => id);
    const missing = first.lines.filter(({ is }) => is === 'missing');
    expect(
      missing
        .filter(({ kind }) => kind === 'members')
        .map(({ key }) => Number(key))
        .toSorted((a, b) => a - b),
    ).toEqual(flaws);
    expect(first.lines.filter(({ is }) => is !== 'missing' && is !== 'count')).toEqual([]);
    expect(first.code).toBe(1);
    const stored = await findCredential(mover.database, 'm7@old.test');
    await changeAccess(mover.database, { members: [4, 5] }, async (tx) => {
      await setMemberProfile(tx, { memberId: 4, firstName: 'Other', nowMs: Date.now() });
      await setMembership(tx, { memberId: 5, accountId: 1, roleType: 2, nowMs: Date.now() });
    });
    await setPasswordHash(mover.database, 7, stored?.password ?? '', dummyHash, passwordCost(dummyHash));
    await mover.old.run('update partners set appUrl = ?', ['https://other.example']);
    await mover.old.run('delete from messages where id = 22');
    const second = await check();
    const told = second.lines.filter(({ is }) => is !== 'missing' && is !== 'count');
    expect(told).toEqual([
      { kind: 'members', key: '4', is: 'different', field: 'firstName', old: '李', here: 'Other' },
      { kind: 'members', key: '7', is: 'different', field: 'password' },
      { kind: 'memberships', key: '5', is: 'different', field: 'roleType', old: 3, here: 2 },
      { kind: 'partners', key: '4711', is: 'changed there since' },
    ]);
    expect(second.lines).toContainEqual({ kind: 'messages', is: 'count', old: 1, here: 1, gone: 1 });
    expect(second.text).not.toMatch(/-Before-1|\$2b\$/);
  });

  it('compares the secrets of partners without printing them', async () => {
    await using mover = await startMoveWorld(dialect, 6);
    const { database: db } = mover;
    await mover.run('plan');
    await mover.run('run', '--map', 'move-map.yaml');
    const check = async () => {
      const { code, said } = await mover.run('check', '--map', 'move-map.yaml');
      return { code, text: said.join('\n'), told: said.filter((line) => line.includes('"secretKey"')) };
    };
    expect(await check()).toMatchObject({ told: [] });
    const cipher = dataCipherIn(mover.env);
    const seal = (secret: string) => cipher.seal(secret, partnerSecretContext(usernameKey('Nordwind GmbH')));
    const { partnerSecrets } = db.tables;
    const [stored] = await db.select().from(partnerSecrets);
    const partnerId = stored?.partnerId ?? 0;
    await db.insert(partnerSecrets, { partnerId, secret: seal('n'.repeat(40)), createdAtMs: Date.now() });
    const change = (column: string, value: string | number | null) =>
      changeColumn(db, { table: 'partner_secrets', id: stored?.id ?? 0, column }, value);
    await change('retires_at_ms', Date.now() + 60_000);
    expect(await check()).toMatchObject({ told: [] });
    const told = [JSON.stringify({ kind: 'partners', key: '4711', is: 'different', field: 'secretKey' })];
    await change('retires_at_ms', Date.now() - 1);
    expect(await check()).toMatchObject({ code: 1, told });
    await change('retires_at_ms', null);
    expect(await check()).toMatchObject({ told: [] });
    for (const secret of [seal('m'.repeat(40)), 'v1.broken']) {
      await change('secret', secret);
      const { text, ...found } = await check();
      expect(found).toEqual({ code: 1, told });
      expect(text).not.toMatch(/k{40}|n{40}|m{40}/);
    }
  });
});

const difference = z.looseObject({ kind: z.string().optional(), key: z.string().optional(), is: z.string() });

const differenceOf = (value: unknown) => difference.parse(value);
