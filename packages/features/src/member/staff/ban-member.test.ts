import { findBan } from '@gatehouse/db/queries/change-member';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../../test/people-world.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';

const DAY_MS = 86_400_000;

const isoIn = (world: SupportWorld, ms: number) => new Date(world.nowMs() + ms).toISOString();

async function rowOf({ db }: SupportWorld, id: number) {
  const rows = await db.select().from(db.tables.members);
  return rows.find((row) => row.id === id);
}

async function linesAbout(world: SupportWorld, { id }: TestMember): Promise<unknown[]> {
  const filter = { subjectKind: 'member', subjectId: String(id) };
  return (await world.call('audit.list', filter, world.root)).data as unknown[];
}

describe('a ban', () => {
  it('applies to a member on every node from the next request on, and restores role and label when it is lifted', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const member = await world.member({ roleType: 3, memberships: { 2: 3 } });
      expect(await world.statuses(member)).toEqual([200, 200, 200]);
      const input = { memberId: member.id, reason: 'Spam from this member' };
      const banned = await world.call('member.ban', input, world.root, { transport });
      expect([banned.status, banned.data]).toEqual([200, { ownerlessAccounts: [] }]);
      expect(await world.statuses(member)).toEqual([401, 401, 401]);
      expect(await world.signIn(member.email)).toBeUndefined();
      expect(await findMember(world.db, member.id)).toMatchObject({ roleType: 3, role: 'Test' });
      expect((await world.call('member.search', { search: member.email }, world.root)).data).toMatchObject([
        { role_type: 11, role: 'Archived', baseRole: 3, status: 'banned' },
      ]);

      const again = await world.call('member.ban', input, world.root, { transport, on: world.otherAdmin });
      expect(again.status).toBe(200);
      const lifted = await world.call('member.unban', { memberId: member.id, reason: 'Appeal' }, world.root, {
        transport,
        on: world.otherAdmin,
      });
      expect(lifted.data).toMatchObject({ id: member.id, role_type: 3, role: 'Test' });
      expect(await world.statuses(member)).toEqual([401, 401, 401]);
      const token = await world.signIn(member.email);
      expect(await world.statuses({ token: token ?? '' })).toEqual([200, 200, 200]);
      expect(
        (await world.call('member.unban', { memberId: member.id }, world.root, { transport })).data,
      ).toMatchObject({ role_type: 3 });
      expect((await linesAbout(world, member)).slice(-2)).toMatchObject([
        {
          action: 'member.unbanned',
          actorId: world.root.id,
          before: { roleType: 11, banned: true, reason: 'Spam from this member' },
          after: { roleType: 3, banned: false, reason: 'Appeal' },
        },
        {
          action: 'member.banned',
          before: { roleType: 3, banned: false },
          after: { roleType: 11, banned: true, reason: 'Spam from this member' },
        },
      ]);
      expect((await linesAbout(world, member)).length).toBe(2);
    }
  });

  it('ends on time, without a write, even on nodes that cache the member', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ memberships: { 2: 5 } });
    const until = isoIn(world, DAY_MS);
    expect((await world.call('member.ban', { memberId: member.id, until }, world.root)).status).toBe(200);
    world.wait(DAY_MS - 60_000);
    expect(await world.statuses(member)).toEqual([401, 401, 401]);
    expect(await world.signIn(member.email)).toBeUndefined();
    const before = await rowOf(world, member.id);
    world.wait(120_000);
    const token = await world.signIn(member.email);
    expect(await world.statuses({ token: token ?? '' })).toEqual([200, 200, 200]);
    const after = await rowOf(world, member.id);
    expect(after).toEqual({ ...before, lastLoginAtMs: after?.lastLoginAtMs });
    const lines = await linesAbout(world, member);
    const lifted = await world.call('member.unban', { memberId: member.id }, world.root);
    expect([lifted.status, await linesAbout(world, member)]).toEqual([200, lines]);

    const again = { token: (await world.signIn(world.root.email)) ?? '' };
    expect((await world.call('member.ban', { memberId: member.id }, again)).status).toBe(200);
    world.wait(DAY_MS);
    expect(await world.signIn(member.email)).toBeUndefined();
  });

  it('ends in the future, within five years, and may be made longer, shorter or endless', async () => {
    await using world = await startSupportWorld();
    const { id: memberId } = await world.member({ memberships: { 2: 5 } });
    for (const transport of TRANSPORTS) {
      for (const until of [isoIn(world, -1000), isoIn(world, 5 * 366 * DAY_MS), 'tomorrow', '']) {
        const { code, issues } = await world.call('member.ban', { memberId, until }, world.root, {
          transport,
        });
        expect([code, issues[0]?.path]).toEqual(['invalid_input', 'until']);
      }
    }
    for (const ms of [DAY_MS, 5 * 365 * DAY_MS, 60_000]) {
      const until = isoIn(world, ms);
      expect((await world.call('member.ban', { memberId, until, reason: 'why' }, world.root)).status).toBe(
        200,
      );
      expect((await rowOf(world, memberId))?.bannedUntilMs).toBe(Date.parse(until));
    }
    expect((await world.call('member.ban', { memberId }, world.root)).status).toBe(200);
    expect(await rowOf(world, memberId)).toMatchObject({ bannedUntilMs: null, banReason: 'why' });
  });

  it('without a recorded role, such as an imported one, is lifted to the lowest role', async () => {
    await using world = await startSupportWorld();
    const { id: memberId, email } = await world.member({ roleType: 11, memberships: { 2: 2 } });
    expect(await world.signIn(email)).toBeUndefined();
    const { data } = await world.call('member.unban', { memberId }, world.root);
    expect(data).toMatchObject({ role_type: 5 });
    expect(await world.signIn(email)).toBeDefined();
    expect((await world.call('member.unban', { memberId: 10 }, world.root)).data).toMatchObject({
      role_type: 5,
      role: 'User Member',
    });
  });

  it('with an end stays when a role is assigned, and the role applies once the ban is over', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ roleType: 5, memberships: { 2: 5 } });
    const { id: memberId } = member;
    await world.call('member.ban', { memberId, until: isoIn(world, DAY_MS) }, world.root);
    const given = { memberId, roleType: 2, role: 'Archived' };
    expect((await world.call('member.update', given, world.root)).data).toMatchObject({
      role_type: 11,
      role: 'Archived',
    });
    expect(await world.statuses(member)).toEqual([401, 401, 401]);
    expect(await world.signIn(member.email)).toBeUndefined();
    expect((await world.call('personnel.promote', { memberId }, world.root)).code).toBe('invalid_input');
    world.wait(DAY_MS);
    expect(await world.signIn(member.email)).toBeDefined();
    expect((await world.call('member.search', { search: member.email }, world.root)).data).toMatchObject([
      { role_type: 2, role: 'Manager/Collaborator' },
    ]);
  });

  it('cannot be set or lifted by callers whom the member outranks, and for staff only by base role 0', async () => {
    await using world = await startSupportWorld();
    const owner = await world.member({ roleType: 1, memberships: { 2: 5 } });
    const ofBoth = await world.member({ memberships: { 1: 5, 2: 5 } });
    const colleague = await world.member({ isPersonnel: true, memberships: { 2: 5 } });
    const elsewhere = await world.member({ memberships: { 1: 5 } });
    for (const { id: memberId } of [owner, ofBoth, colleague, elsewhere]) {
      await world.call('member.ban', { memberId }, world.root);
    }
    for (const transport of TRANSPORTS) {
      for (const { id: memberId } of [owner, ofBoth, colleague]) {
        const lifted = await world.call('member.unban', { memberId }, world.manager, { transport });
        expect([memberId, lifted.code]).toEqual([memberId, 'permission_denied']);
      }
      const until = isoIn(world, 1000);
      for (const { id: memberId } of [owner]) {
        // An end in the near future would lift the ban.
        const shortened = await world.call('member.ban', { memberId, until }, world.manager, { transport });
        expect([memberId, shortened.code]).toEqual([memberId, 'permission_denied']);
        const given = await world.call('member.update', { memberId, roleType: 5 }, world.manager, {
          transport,
        });
        expect([memberId, given.code]).toEqual([memberId, 'permission_denied']);
      }
      const unseen = await world.call('member.unban', { memberId: elsewhere.id }, world.manager, {
        transport,
      });
      expect([unseen.status, unseen.code]).toEqual([404, 'not_found']);
    }
    for (const each of [owner, ofBoth, colleague, elsewhere]) {
      expect(await world.signIn(each.email)).toBeUndefined();
    }
    const own = await world.member({ memberships: { 2: 5 } });
    for (const name of ['member.ban', 'member.unban'] as const) {
      expect((await world.call(name, { memberId: own.id }, world.manager)).status).toBe(200);
      expect((await world.call(name, { memberId: own.id }, own)).status).toBe(401);
    }
  });

  it('survives the deletion and restoration of the member', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ roleType: 2, memberships: { 2: 5 } });
    const { id: memberId } = member;
    await world.call('member.ban', { memberId, until: isoIn(world, DAY_MS) }, world.root);
    expect((await world.call('member.remove', { memberId }, world.root)).status).toBe(200);
    expect((await world.call('member.unban', { memberId }, world.root)).code).toBe('not_found');
    expect((await world.call('member.restore', { memberId, reason: 'why' }, world.root)).status).toBe(200);
    expect(await world.signIn(member.email)).toBeUndefined();
    world.wait(DAY_MS);
    expect(await world.signIn(member.email)).toBeDefined();
    expect(await findMember(world.db, memberId)).toMatchObject({ roleType: 2, role: 'Test' });
  });

  it('leaves one administrator who can act, counting those whose ban has ended', async () => {
    await using world = await startSupportWorld();
    const { root } = world;
    expect((await world.call('member.ban', { memberId: 1 }, root)).status).toBe(200);
    expect((await world.call('member.ban', { memberId: root.id }, root)).code).toBe('last_administrator');
    const until = isoIn(world, DAY_MS);
    expect((await world.call('member.ban', { memberId: 1, until }, root)).status).toBe(200);
    expect((await world.call('member.ban', { memberId: root.id }, root)).code).toBe('last_administrator');
    world.wait(DAY_MS + 1000);
    expect((await world.call('member.ban', { memberId: root.id }, root)).code).toBe('verification_required');
    const again = { token: (await world.signIn(root.email)) ?? '' };
    expect((await world.call('member.ban', { memberId: root.id }, again)).status).toBe(200);
    expect(await world.statuses(root)).toEqual([401, 401, 401]);
  });

  it('has one complete outcome in either order with a concurrent lifting', async () => {
    await using world = await startSupportWorld();
    const second = await world.member({ roleType: 0, isPersonnel: true });
    const member = await world.member({ roleType: 2, memberships: { 2: 5 } });
    const { id: memberId } = member;
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all([
        world.call('member.ban', { memberId, reason: `round ${round}` }, world.root),
        world.call('member.unban', { memberId }, second, { on: world.otherAdmin }),
        world.call('member.ban', { memberId, until: isoIn(world, DAY_MS) }, second, { on: world.otherAdmin }),
        world.call('member.update', { memberId, roleType: 2 }, world.root),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const ban = await findBan(world.db, { memberId, nowMs: world.nowMs() });
      expect((await world.signIn(member.email)) === undefined).toBe(ban !== undefined);
      expect(await findMember(world.db, memberId)).toMatchObject({ roleType: 2 });
      const last = (await linesAbout(world, member)).find(
        (line) => 'banned' in ((line as { after: object | null }).after ?? {}),
      );
      expect(last).toMatchObject({ after: { banned: ban !== undefined } });
    }
  });
});
