import { findAffiliate } from '@gatehouse/db/queries/affiliates';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { listPersonnelGrants } from '@gatehouse/db/queries/personnel-grants';
import { findMember } from '@gatehouse/db/queries/read-members';
import { readOutbox, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { dumpDatabase } from '../../test/dump-database.js';
import { endGrace } from '../../test/end-grace.js';
import { TRANSPORTS } from '../../test/people-world.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';
import { memberErasure } from '../erasure-jobs.js';

const DAY_MS = 86_400_000;

const reason = 'Deleted by mistake';

/** Until when the page of a member says that they can be brought back. */
async function restorableUntil(world: SupportWorld, memberId: number, as: TestMember = world.root) {
  const { data } = await world.call('member.page', { memberId }, as);
  return (data as { restorableUntil: string | null }).restorableUntil;
}

describe('restoring a member', () => {
  it('restores what the deletion by staff ended, nothing that ended before, and no sessions', async () => {
    await using world = await startSupportWorld();
    const { root, db } = world;
    for (const transport of TRANSPORTS) {
      const member = await world.member({
        roleType: 6,
        isPersonnel: true,
        memberships: { 1: 2, 2: 5 },
        grants: [3, 2],
      });
      const { id: memberId } = member;
      const affiliate = {
        memberId,
        code: `C-${memberId}`,
        commissionPercent: 1,
        payoutEmail: 'pay@out.test',
      };
      expect((await world.call('affiliate.save', affiliate, root)).status).toBe(200);
      await world.call('membership.remove', { memberId, accountId: 1 }, root);
      await world.call('personnel.save', { personnelId: memberId, accountIds: [3] }, root);
      expect((await world.call('member.remove', { memberId }, root)).status).toBe(200);
      expect(await world.statuses(member)).toEqual([401, 401, 401]);
      expect(await world.signIn(member.email)).toBeUndefined();

      const graceMs = Date.parse((await restorableUntil(world, memberId)) ?? '') - Date.now();
      expect(Math.abs(graceMs - 30 * DAY_MS)).toBeLessThan(60_000);
      const how = { transport, on: world.otherAdmin };
      const restored = await world.call('member.restore', { memberId, reason }, root, how);
      expect([restored.status, restored.data]).toMatchObject([200, { id: memberId, role_type: 6 }]);
      expect(await restorableUntil(world, memberId)).toBeNull();
      expect(await world.statuses(member)).toEqual([401, 401, 401]);
      const token = (await world.signIn(member.email)) ?? '';
      expect(await world.statuses({ token, accountId: 2 })).toEqual([200, 200, 200]);
      expect(await world.statuses({ token, accountId: 3 })).toEqual([200, 200, 200]);
      expect(await world.statuses({ token, accountId: 1 })).toEqual([403, 403, 403]);
      expect(await findMembership(db, { memberId, accountId: 1 })).toBeUndefined();
      expect((await listPersonnelGrants(db, memberId)).map(({ accountId }) => accountId)).toEqual([3]);
      expect(await findAffiliate(db, { all: true }, memberId)).toMatchObject({ active: true });

      const again = await world.call('member.restore', { memberId, reason }, root, { transport });
      expect([again.status, again.data]).toEqual([200, restored.data]);
      const filter = { subjectKind: 'member', subjectId: String(memberId), action: 'member.restored' };
      expect((await world.call('audit.list', filter, root)).data).toMatchObject([
        {
          actorId: root.id,
          before: { deletedAt: expect.any(String) as string },
          after: { accounts: [], reason },
        },
      ]);
    }
  });

  it('restores a member who deleted themselves, with the accounts that closed, and uses up their link', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const owner = await world.member();
      const made = await world.call('account.create', { name: `Kiln ${transport}` }, owner, {
        on: world.main,
      });
      const { id: accountId } = made.data as { id: number };
      expect((await world.call('member.deleteOwn', {}, owner, { on: world.main })).status).toBe(200);
      const mail = (await readOutbox(world.main)).find(
        ({ to, kind }) => to === owner.email && kind === 'memberDeleted',
      );
      const input = { memberId: owner.id, reason };
      expect((await world.call('member.restore', input, world.root, { transport })).status).toBe(200);
      const token = (await world.signIn(owner.email)) ?? '';
      expect(await world.statuses({ token, accountId })).toEqual([200, 200, 200]);
      const byLink = await world.call(
        'member.restoreOwn',
        { token: mail?.token },
        { token: '' },
        { on: world.main },
      );
      expect(byLink.code).toBe('invalid_token');
    }
  });

  it('is refused after the grace period, and always to staff other than base role 0', async () => {
    await using world = await startSupportWorld({ SESSION_ABSOLUTE: '90d' });
    const { root, manager } = world;
    const [own, removed] = [
      await world.member({ memberships: { 2: 5 } }),
      await world.member({ memberships: { 2: 5 } }),
    ];
    await world.call('member.deleteOwn', {}, own, { on: world.main });
    await world.call('member.remove', { memberId: removed.id }, root);
    for (const transport of TRANSPORTS) {
      const asManager = await world.call('member.restore', { memberId: removed.id, reason }, manager, {
        transport,
      });
      expect(asManager.code).toBe('permission_denied');
      for (const input of [{ memberId: removed.id }, { memberId: removed.id, reason: '  ' }]) {
        const { code, issues } = await world.call('member.restore', input, root, { transport });
        expect([code, issues[0]?.path]).toEqual(['invalid_input', 'reason']);
      }
      expect(
        (await world.call('member.restore', { memberId: 999_999, reason }, root, { transport })).status,
      ).toBe(404);
    }
    for (const { id } of [own, removed]) expect(await restorableUntil(world, id)).not.toBeNull();
    world.wait(30 * DAY_MS + 1000);
    const late = await world.member({ roleType: 0, isPersonnel: true });
    for (const transport of TRANSPORTS) {
      for (const { id: memberId } of [own, removed]) {
        const { status, code } = await world.call('member.restore', { memberId, reason }, late, {
          transport,
        });
        expect([status, code]).toEqual([409, 'grace_over']);
        expect(await restorableUntil(world, memberId, late)).toBeNull();
      }
    }
  });

  it('restores or erases the member as a whole, when it races with the erasure and with another restoration', async () => {
    await using world = await startSupportWorld();
    const second = await world.member({ roleType: 0, isPersonnel: true });
    const members = [];
    for (let count = 0; count < 6; count += 1) members.push(await world.member({ memberships: { 2: 5 } }));
    for (const member of members) await world.call('member.deleteOwn', {}, member, { on: world.main });
    const asSecond = { token: second.token };
    const [answers] = await Promise.all([
      Promise.all(
        members.flatMap(({ id: memberId }) => [
          world.call('member.restore', { memberId, reason }, world.root),
          world.call('member.restore', { memberId, reason }, asSecond, { on: world.otherAdmin }),
        ]),
      ),
      endGrace(world.db, 31 * DAY_MS).then(() => memberErasure.run(world.main.services)),
    ]);
    await memberErasure.run(world.main.services);
    for (const [at, member] of members.entries()) {
      const codes = answers.slice(2 * at, 2 * at + 2).map(({ status }) => status);
      expect([200, 409]).toContain(codes[0]);
      expect(codes[1]).toBe(codes[0]);
      const row = await findMember(world.db, member.id);
      const place = await findMembership(world.db, { memberId: member.id, accountId: 2 });
      const isBack = codes[0] === 200;
      expect([row?.isDeleted, row?.email === member.email, place !== undefined]).toEqual([
        !isBack,
        isBack,
        isBack,
      ]);
    }
  });
});

describe('the label of a base role, typed by staff,', () => {
  it('is erased with the member, from their row and from the audit log', async () => {
    await using world = await startSupportWorld();
    const member = await world.member();
    const label = { memberId: member.id, role: 'Cousin of Zephyrine' };
    expect((await world.call('member.update', label, world.root)).status).toBe(200);
    const filter = { subjectKind: 'member', subjectId: String(member.id), action: 'member.updated' };
    const lines = async () => (await world.call('audit.list', filter, world.root)).data;
    expect(await lines()).toMatchObject([{ after: { role: 'Cousin of Zephyrine' } }]);
    const gone = await world.call('member.deleteOwn', {}, member, { on: world.main });
    expect(gone.status).toBe(200);
    await endGrace(world.db, 31 * DAY_MS);
    expect(await memberErasure.run(world.main.services)).toBe(1);
    expect(await dumpDatabase(world.db)).not.toContain('Zephyrine');
    expect(await lines()).toMatchObject([{ action: 'member.updated' }]);
    const rows = await world.db.select().from(world.db.tables.members);
    expect(rows.find(({ id }) => id === member.id)).toMatchObject({ roleType: 5, role: 'User Member' });
  });
});
