import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { recordRefusedLogin } from '@gatehouse/db/queries/security-event-log';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../../test/change-column.js';
import { insertTestMail } from '../../test/insert-test-mail.js';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

interface Page {
  status: string;
  state: string;
  lockedUntil: string | null;
  lockedOut: boolean;
  logins: { outcome: string; times: number }[];
  memberships: { accountId: number; role: string; isPrimaryOwner: boolean; active: boolean }[];
  grants: unknown[];
  mails: { state: string; address: string; reason: string | null }[];
  sessions: { device: string }[];
  members: { id: number; accountRole: number; isPrimaryOwner: boolean }[];
  counts: Record<string, number>;
  [key: string]: unknown;
}

async function pageOf(
  world: StaffWorld,
  input: { memberId: number } | { accountId: number },
  as = world.root,
): Promise<Page> {
  const name = 'memberId' in input ? 'member.page' : 'account.page';
  const { status, body } = await world.call(name, input, as);
  expect([input, status]).toEqual([input, 200]);
  return body['data'] as Page;
}

describe('the page of a member', () => {
  it('shows who they are, where they are and where they came from, over both transports', async () => {
    await using world = await startStaffWorld();
    const page = await pageOf(world, { memberId: 3 });
    expect(page).toMatchObject({
      member: { id: 3, username: 'owner.acme', email: 'owner@acme.test', isPersonnel: false },
      status: 'live',
      ban: null,
      erasedAt: null,
      lockedUntil: null,
      lockedOut: false,
      memberships: [
        { accountId: 1, accountName: 'Acme Studio', role: 'Owner', isPrimaryOwner: true, active: true },
        { accountId: 2, accountName: 'Birch & Co', isPrimaryOwner: false, active: true },
      ],
      grants: [],
      connections: [],
      factors: { password: true },
      recovery: null,
      pendingEmail: null,
      awaits: [],
      partner: null,
      counts: { memberships: 2, grants: 0 },
    });
    const posted = await world.send('/v1/member/page', world.root, { memberId: 3 });
    expect(posted.body['data']).toEqual(page);
    const read = await world.send('/v1/member/page?memberId=3', world.root);
    expect(read.body['data']).toEqual(page);
    expect(JSON.stringify(page)).not.toMatch(/\$2[aby]\$|tokenKey/);
  });

  it("shows only memberships in the accounts the caller acts in, and nobody else's", async () => {
    await using world = await startStaffWorld();
    const { manager, root } = world;
    const page = await pageOf(world, { memberId: 3 }, manager);
    expect(page.memberships.map(({ accountId }) => accountId)).toEqual([2]);
    expect(page.counts['memberships']).toBe(1);
    for (const memberId of [4, 9, 1, 2, 999_999])
      expect([memberId, (await world.call('member.page', { memberId }, manager)).code]).toEqual([
        memberId,
        'not_found',
      ]);
    // Staff who are also members there cannot be changed by other staff.
    const colleague = await insertTestMember(world.service.database, {
      roleType: 6,
      isPersonnel: true,
      memberships: { 2: 2 },
      grants: [1],
    });
    expect((await world.call('member.page', { memberId: colleague.id }, manager)).code).toBe(
      'permission_denied',
    );
    expect(await pageOf(world, { memberId: colleague.id }, root)).toMatchObject({
      grants: [{ accountId: 1, accountName: 'Acme Studio', active: true }],
    });
    const selected = await world.service.send('/v1/member/page', {
      token: root.token,
      accountId: 3,
      body: { memberId: 3 },
    });
    expect(selected.status).toBe(404);
  });

  it('shows only those grants of former staff in the accounts the caller acts in', async () => {
    await using world = await startStaffWorld();
    const { root, manager } = world;
    const { database } = world.service;
    const { id } = await insertTestMember(database, {
      roleType: 6,
      isPersonnel: true,
      memberships: { 2: 5 },
      grants: [1, 2],
    });
    expect((await world.call('personnel.save', { personnelId: id, active: false }, root)).status).toBe(200);
    const grantsFor = async (as: typeof root) => {
      const { grants, counts } = await pageOf(world, { memberId: id }, as);
      return [(grants as { accountId: number }[]).map(({ accountId }) => accountId), counts['grants']];
    };
    expect(await grantsFor(root)).toEqual([[1, 2], 2]);
    expect(await grantsFor(manager)).toEqual([[2], 1]);
  });

  it('does not show the reason of an earlier ban for one that was written by hand', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const { id } = await insertTestMember(database);
    const input = { memberId: id, reason: 'An earlier one', until: new Date(Date.now() + 9e6).toISOString() };
    expect((await world.call('member.ban', input, world.root)).status).toBe(200);
    const { members } = database.tables;
    await database.write(database.update(members).set({ role: 'Archived' }));
    expect((await pageOf(world, { memberId: id }))['ban']).toEqual({
      until: null,
      reason: null,
      at: null,
      byId: null,
    });
  });

  it('says what happened to them: banned, or deleted for now', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    expect((await pageOf(world, { memberId: 10 })).status).toBe('banned');
    const { id } = await insertTestMember(database, { memberships: { 2: 5 } });
    const nowMs = Date.now();
    const erasesAtMs = nowMs + 1_000_000;
    await changeAccess(database, { members: [id] }, (tx) =>
      deleteOwnMember(tx, { memberId: id, erasesAtMs, nowMs }),
    );
    for (const as of [world.root, world.manager])
      expect(await pageOf(world, { memberId: id }, as)).toMatchObject({
        status: 'deleting',
        erasedAt: new Date(erasesAtMs).toISOString(),
        memberships: [{ accountId: 2, active: false }],
      });
    const { members, memberships } = database.tables;
    await database.write(database.update(members).set({ erasesAtMs: null }));
    expect((await pageOf(world, { memberId: id })).status).toBe('deleted');
    await database.write(database.update(memberships).set({ endedWithMember: false }));
    expect((await world.call('member.page', { memberId: id }, world.manager)).code).toBe('not_found');
  });

  it('shows sign-ins, including refused ones, and until when they are locked', async () => {
    await using world = await startStaffWorld();
    const { service } = world;
    for (let attempt = 0; attempt < 21; attempt += 1) {
      const body = { email: 'owner@birch.test', password: 'not the password' };
      await service.send('/webauthenticate', { body });
    }
    const page = await pageOf(world, { memberId: 8 }, world.manager);
    expect(page.logins.map(({ outcome, times }) => [outcome, times])).toEqual(
      expect.arrayContaining([['failed', expect.any(Number)]]),
    );
    expect(page.logins.reduce((sum, { times }) => sum + times, 0)).toBe(21);
    const leftMs = Date.parse(page.lockedUntil ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(800_000);
    expect(leftMs).toBeLessThanOrEqual(900_000);
    expect((await world.call('member.unlock', { memberId: 8 }, world.manager)).status).toBe(200);
    expect(await pageOf(world, { memberId: 8 })).toMatchObject({ lockedUntil: null, lockedOut: false });

    const { loginFailures } = service.database.tables;
    await service.database.write(service.database.update(loginFailures).set({ failures: 100 }));
    expect(await pageOf(world, { memberId: 8 })).toMatchObject({ lockedUntil: null, lockedOut: true });
  });

  it('cuts each list at fifty, and says how many there are in all', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    for (let index = 0; index < 53; index += 1) {
      await insertTestMail(database, { memberId: 8, state: 'sent', recipient: 'owner@birch.test' });
      await recordRefusedLogin(database, {
        memberId: 8,
        nameDigest: '',
        outcome: 'failed',
        address: `10.0.0.${index}`,
        device: '',
        nowMs: Date.now(),
      });
    }
    const deadId = await insertTestMail(database, {
      memberId: 8,
      state: 'dead',
      recipient: 'owner@birch.test',
      lastError: '550 <Owner@birch.test>: no such mailbox',
    });
    await insertTestMail(database, { memberId: 8, state: 'void' });
    const page = await pageOf(world, { memberId: 8 });
    expect([page.mails.length, page.logins.length]).toEqual([50, 50]);
    expect(page.counts).toMatchObject({ mails: 54, logins: 53 });
    expect(page.mails[0]).toMatchObject({
      id: deadId,
      state: 'failed',
      address: 'o***@birch.test',
      reason: '550 <o***@birch.test>: no such mailbox',
    });
  });
});

describe('the page of an account', () => {
  it('shows its owner, members with their roles, what it pays, and to whom it was granted', async () => {
    await using world = await startStaffWorld();
    const page = await pageOf(world, { accountId: 2 });
    expect(page).toMatchObject({
      account: { id: 2, name: 'Birch & Co', ownerId: 8 },
      state: 'live',
      erasedAt: null,
      owner: { id: 8, name: 'Bruno Keller', email: 'owner@birch.test', isDeleted: false },
      subscription: { state: 'trialing', active: true, provider: null, plan: null },
      invitations: [],
      webhooks: [],
      counts: { members: 3, grants: 2 },
    });
    expect(
      page.members.map(({ id, accountRole, isPrimaryOwner }) => [id, accountRole, isPrimaryOwner]),
    ).toEqual([
      [3, 2, false],
      [8, 1, true],
      [world.member.id, 5, false],
    ]);
    expect(page.grants).toMatchObject([
      { personnelId: 2, name: 'Stefan Lindqvist', active: true },
      { personnelId: world.manager.id, active: true },
    ]);
    const read = await world.send('/v1/account/page?accountId=2', world.manager);
    // The allowed actions differ.
    const { actions, givableRoles } = page;
    expect(read.body['data']).toMatchObject({
      ...page,
      actions: ['seeInvitations'],
      givableRoles: [6, 2, 3, 4, 5],
      givablePermissions: [],
    });
    expect({ actions, givableRoles }).toEqual({
      actions: ['seeInvitations', 'seePolicy', 'saveRole', 'extendTrial', 'remove', 'restore'],
      givableRoles: [0, 1, 6, 2, 3, 4, 5],
    });
    for (const accountId of [1, 3, 99])
      expect((await world.call('account.page', { accountId }, world.manager)).code).toBe('not_found');
  });

  it('shows its custom roles, and how many members have each', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const { customRoles } = database.tables;
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const role = (accountId: number, name: string) =>
      database.insert(customRoles, {
        accountId,
        name,
        nameKey: name.toLowerCase(),
        roleType: 3,
        permissions: ['account.read', 'member.list', 'unknown.permission', 'key.manage'],
        ...at,
      });
    const [held, unheld] = [await role(2, 'Editor'), await role(2, 'Auditor')];
    await role(1, 'Elsewhere');
    const place = { table: 'memberships', column: 'custom_role_id', by: 'member_id', id: world.member.id };
    await changeColumn(database, place, held);
    const { body } = await world.call('account.page', { accountId: 2 }, world.manager);
    const permissions = ['account.read', 'member.list'];
    expect(body['data']).toMatchObject({
      customRoles: [
        { id: held, name: 'Editor', roleType: 3, permissions, holders: 1, isGivable: true },
        { id: unheld, name: 'Auditor', roleType: 3, permissions, holders: 0, isGivable: true },
      ],
    });
  });

  it('shows the deliveries that were applied to it, and no other', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const delivery = (eventId: string, accountId: number | null) =>
      database.insert(database.tables.webhookLog, {
        provider: 'stripe',
        endpoint: 'stripe',
        eventId,
        dedupeKey: eventId,
        type: 'invoice.paid',
        body: '{}',
        bodyBytes: 2,
        digest: 'd'.repeat(64),
        status: 'processed',
        accountId,
        address: '127.0.0.1',
        receivedAtMs: Date.now(),
      });
    await delivery('first', 2);
    await delivery('other', 1);
    await delivery('nobody', null);
    await delivery('last', 2);
    const page = await pageOf(world, { accountId: 2 }, world.manager);
    expect((page['webhooks'] as { eventId: string }[]).map(({ eventId }) => eventId)).toEqual([
      'last',
      'first',
    ]);
    expect(page.counts).toMatchObject({ webhooks: 2 });
  });

  it('shows the newest invitations, at most fifty', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const nowMs = Date.now();
    const { invitations, memberships } = database.tables;
    for (let index = 0; index < 52; index += 1) {
      const email = `guest${index}@out.test`;
      await database.insert(invitations, {
        accountId: 2,
        email,
        emailKey: email,
        openKey: email,
        roleType: 5,
        status: 'open',
        inviterId: index === 51 ? 3 : 8,
        expiresAtMs: nowMs + 1_000_000,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      });
      const { id } = await insertTestMember(database);
      await changeAccess(database, { members: [id] }, (tx) =>
        setMembership(tx, { accountId: 2, memberId: id, roleType: 5, nowMs }),
      );
    }
    const page = await pageOf(world, { accountId: 2 }, world.manager);
    const shown = page['invitations'] as { email: string; state: string }[];
    expect([shown.length, page.members.length]).toEqual([50, 50]);
    expect(page.counts).toMatchObject({ invitations: 52, members: 55 });
    expect(shown[0]).toMatchObject({ email: 'guest51@out.test', state: 'pending' });
    await changeAccess(database, { members: [3] }, (tx) =>
      tx.write(tx.update(memberships).set({ roleType: 5 })),
    );
    const after = (await pageOf(world, { accountId: 2 }))['invitations'] as { state: string }[];
    expect(after[0]?.state).toBe('void');
  });

  it('shows root staff, and nobody else, what happened to a closed one', async () => {
    await using world = await startStaffWorld();
    expect((await world.call('account.remove', { accountId: 2 }, world.root)).status).toBe(200);
    expect((await pageOf(world, { accountId: 2 })).state).toBe('closed');
    expect((await world.call('account.page', { accountId: 2 }, world.manager)).code).toBe('not_found');
    const { database } = world.service;
    await database.write(database.update(database.tables.accounts).set({ erasesAtMs: null }));
    expect((await pageOf(world, { accountId: 2 })).state).toBe('deleted');
  });
});
