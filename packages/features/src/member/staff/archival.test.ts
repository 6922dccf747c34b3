import { findBan } from '@gatehouse/db/queries/change-member';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { RunningService, TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallAs, type SupportWorld, startSupportWorld } from '../../test/support-world.js';

const shown = z.looseObject({ id: z.int(), role_type: z.int(), role: z.string() });
const oneOrMore = z.union([shown.transform((one) => [one]), z.array(shown)]);
const answer = z.looseObject({
  data: oneOrMore.optional(),
  error: z.object({ code: z.string() }).optional(),
});

/** Sends a request of an old client; with a body it is a POST. */
async function ask(node: RunningService, path: string, as: CallAs, body?: object) {
  const response = await node.send(path, { ...as, ...(body === undefined ? {} : { body }) });
  const { data = [], error } = answer.parse(await response.json());
  return { status: response.status, code: error?.code, data };
}

const updateUser = (world: SupportWorld, as: CallAs, body: object, node = world.admin) =>
  ask(node, '/updateUser', as, body);

/** The roles and labels that each documented list and answer shows of a member of account 2. */
async function rolesShown({ admin, otherAdmin, main, root }: SupportWorld, { id, email }: TestMember) {
  const inAccount = { token: root.token, accountId: 2 };
  const answers = await Promise.all([
    ask(admin, `/searchUser?search=${encodeURIComponent(email)}`, root),
    ask(otherAdmin, `/searchUser?search=${encodeURIComponent(email)}`, root),
    ask(main, '/getAllMemberslist', inAccount),
    ask(main, '/searchAllMembers', inAccount, { username: email.split('@')[0] }),
    ask(main, `/getUserdetail${id}`, inAccount),
    ask(main, `/getUserdetail/${id}`, inAccount),
  ]);
  return answers.map(({ data }) => {
    const row = data.find((each) => each.id === id);
    return row && [row.role_type, row.role];
  });
}

async function lastLine(world: SupportWorld, { id }: TestMember): Promise<unknown> {
  const filter = { subjectKind: 'member', subjectId: String(id) };
  return ((await world.call('audit.list', filter, world.root)).data as unknown[])[0];
}

const inADay = (world: SupportWorld) => new Date(world.nowMs() + 86_400_000).toISOString();

describe('an older client that archives a member with role_type 11', () => {
  it('sees 11 in every list until another role lifts the ban and the member signs in again', async () => {
    await using world = await startSupportWorld();
    const { root } = world;
    const member = await world.member({ roleType: 3, memberships: { 2: 3 } });
    expect(await rolesShown(world, member)).toEqual(Array(6).fill([3, 'Test']));
    expect(await world.statuses(member)).toEqual([200, 200, 200]);

    const archived = await updateUser(world, root, { id: String(member.id), role_type: '11' });
    expect([archived.status, archived.data]).toMatchObject([200, [{ role_type: 11, role: 'Archived' }]]);
    expect(await rolesShown(world, member)).toEqual(Array(6).fill([11, 'Archived']));
    expect(await world.statuses(member)).toEqual([401, 401, 401]);
    expect(await world.signIn(member.email)).toBeUndefined();

    // The form of the old console sends every field back unchanged except the edited one.
    const [row] = archived.data;
    const form = { id: member.id, fName: 'Test', lName: 'Member', email: row?.['email'], role: row?.role };
    const lifted = await updateUser(world, root, { ...form, role_type: 2 }, world.otherAdmin);
    expect([lifted.status, lifted.data]).toMatchObject([
      200,
      [{ role_type: 2, role: 'Manager/Collaborator' }],
    ]);
    expect(await rolesShown(world, member)).toEqual(Array(6).fill([2, 'Manager/Collaborator']));
    expect(await world.statuses(member)).toEqual([401, 401, 401]);
    const token = await world.signIn(member.email);
    expect(await world.statuses({ token: token ?? '' })).toEqual([200, 200, 200]);
    expect(await lastLine(world, member)).toMatchObject({
      action: 'member.updated',
      actorId: root.id,
      before: { roleType: 3, banned: true },
      after: { roleType: 2, banned: false },
    });
  });

  it('lifts the ban with the role that the member had before, who keeps their label', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ roleType: 3, memberships: { 2: 3 } });
    await updateUser(world, world.root, { id: member.id, role_type: 11 });
    const { data } = await updateUser(world, world.root, { id: member.id, role_type: 3 });
    expect(data).toMatchObject([{ role_type: 3, role: 'Test' }]);
    expect(await world.signIn(member.email)).toBeDefined();
    expect(await lastLine(world, member)).toMatchObject({
      before: { banned: true },
      after: { banned: false },
    });
  });

  it('lifts an endless ban by assigning a role, as the typed client does', async () => {
    await using world = await startSupportWorld();
    for (const transport of ['rest', 'trpc'] as const) {
      const { id: memberId, email } = await world.member({ roleType: 3, memberships: { 2: 3 } });
      await world.call('member.ban', { memberId, reason: 'Spam' }, world.root, { transport });
      const { data } = await world.call('member.update', { memberId, roleType: 4 }, world.root, {
        transport,
      });
      expect(data).toMatchObject({ role_type: 4 });
      expect(await world.signIn(email)).toBeDefined();
      expect(await findBan(world.db, { memberId, nowMs: world.nowMs() })).toBeUndefined();
    }
  });

  it('lifts the archival of a member who was imported as archived from the replaced system', async () => {
    await using world = await startSupportWorld();
    const { id, email } = await world.member({ roleType: 11, memberships: { 2: 3 } });
    expect(await world.signIn(email)).toBeUndefined();
    const { data } = await updateUser(world, world.root, { id, role_type: 5 });
    expect(data).toMatchObject([{ role_type: 5, role: 'User Member' }]);
    expect(await world.signIn(email)).toBeDefined();
  });

  it('keeps the ban without a role, with an empty one, and when it sends back the shown one', async () => {
    await using world = await startSupportWorld();
    const { id, email } = await world.member({ roleType: 3, memberships: { 2: 3 } });
    await updateUser(world, world.root, { id, role_type: 11 });
    for (const fields of [
      {},
      { role_type: '' },
      { role_type: null },
      { role: '' },
      { role: 'Archived' },
      { role_type: 11, role: 'Archived' },
    ]) {
      const { status, data } = await updateUser(world, world.root, { id, fName: 'Ada', ...fields });
      expect([fields, status, data]).toMatchObject([fields, 200, [{ role_type: 11, role: 'Archived' }]]);
    }
    expect((await updateUser(world, world.root, { id, role: 'Poet' })).data).toMatchObject([
      { role_type: 11 },
    ]);
    expect(await world.signIn(email)).toBeUndefined();
    expect(await findMember(world.db, id)).toMatchObject({ firstName: 'Ada', roleType: 3, role: 'Poet' });
    const lifted = await world.call('member.unban', { memberId: id }, world.root);
    expect(lifted.data).toMatchObject({ role_type: 3, role: 'Poet' });
  });

  it('sees 11 during a ban with an end, which a role does not lift, and then the assigned role', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ roleType: 3, memberships: { 2: 3 } });
    await world.call('member.ban', { memberId: member.id, until: inADay(world) }, world.root);
    for (const role_type of [3, 2]) {
      const { status, data } = await updateUser(world, world.root, { id: member.id, role_type });
      expect([status, data]).toMatchObject([200, [{ role_type: 11, role: 'Archived' }]]);
      expect(await rolesShown(world, member)).toEqual(Array(6).fill([11, 'Archived']));
      expect(await world.signIn(member.email)).toBeUndefined();
    }
    world.wait(86_400_000);
    expect(await rolesShown(world, member)).toEqual(Array(6).fill([2, 'Manager/Collaborator']));
    expect(await world.signIn(member.email)).toBeDefined();
  });

  it('makes a ban with an end permanent with 11, and lifts it with another role', async () => {
    await using world = await startSupportWorld();
    const { id, email } = await world.member({ roleType: 3, memberships: { 2: 3 } });
    await world.call('member.ban', { memberId: id, until: inADay(world) }, world.root);
    await updateUser(world, world.root, { id, role_type: 11 });
    world.wait(2 * 86_400_000);
    expect(await world.signIn(email)).toBeUndefined();
    expect((await updateUser(world, world.root, { id, role_type: 3 })).data).toMatchObject([
      { role_type: 3 },
    ]);
    expect(await world.signIn(email)).toBeDefined();
  });

  it('lifts no ban for callers who may not lift it', async () => {
    await using world = await startSupportWorld();
    const ofBoth = await world.member({ roleType: 5, memberships: { 1: 5, 2: 5 } });
    const owner = await world.member({ roleType: 1, memberships: { 2: 5 } });
    const colleague = await world.member({ roleType: 5, isPersonnel: true, memberships: { 2: 5 } });
    const elsewhere = await world.member({ roleType: 5, memberships: { 1: 5 } });
    const own = await world.member({ roleType: 5, memberships: { 2: 5 } });
    const all = [ofBoth, owner, colleague, elsewhere, own];
    for (const { id } of all) await updateUser(world, world.root, { id, role_type: 11 });
    for (const { id } of all.slice(0, 4)) {
      for (const role_type of [5, 3, 1]) {
        const { code } = await updateUser(world, world.manager, { id, role_type });
        const expected = id === elsewhere.id ? 'not_found' : 'permission_denied';
        expect([id, role_type, code]).toEqual([id, role_type, expected]);
      }
    }
    expect((await updateUser(world, world.manager, { id: own.id, role_type: 0 })).code).toBe(
      'permission_denied',
    );
    for (const { email } of all) expect(await world.signIn(email)).toBeUndefined();
    // Names need authority in one of the accounts, even if the form sends the role back.
    const named = { id: ofBoth.id, fName: 'Ada', role_type: 11, role: 'Archived' };
    expect((await updateUser(world, world.manager, named)).status).toBe(200);
    expect((await updateUser(world, world.manager, { id: own.id, role_type: 5 })).status).toBe(200);
    expect(await world.signIn(own.email)).toBeDefined();
  });

  it('changes a banned colleague through /addOrUpdatePersonnel, where 11 stays and another role lifts the ban', async () => {
    await using world = await startSupportWorld();
    const { root } = world;
    const colleague = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
    await updateUser(world, root, { id: colleague.id, role_type: 11 });
    const save = (fields: object) =>
      ask(world.admin, '/addOrUpdatePersonnel', root, { personnelId: colleague.id, ...fields });
    expect((await ask(world.admin, `/getPersonnel/${colleague.id}`, root)).data).toMatchObject([
      { role_type: 11, role: 'Archived' },
    ]);
    expect((await save({ firstName: 'Ada', role_type: 11 })).data).toMatchObject([
      { firstName: 'Ada', role_type: 11 },
    ]);
    expect(await world.signIn(colleague.email, world.admin)).toBeUndefined();
    expect((await save({ role_type: 6 })).data).toMatchObject([{ role_type: 6 }]);
    expect(await lastLine(world, colleague)).toMatchObject({
      before: { banned: true },
      after: { banned: false },
    });
    expect((await save({ role_type: 11 })).code).toBe('invalid_input');
    expect(await world.signIn(colleague.email, world.admin)).toBeDefined();
  });

  it('gets a role and an audit log that agree when a role is assigned concurrently', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ roleType: 3, memberships: { 2: 3 } });
    const { id: memberId } = member;
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all([
        updateUser(world, world.root, { id: memberId, role_type: 11 }),
        updateUser(world, world.root, { id: memberId, role_type: 2 + (round % 3) }, world.otherAdmin),
        world.call('member.ban', { memberId, reason: `round ${round}` }, world.root),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const isBanned = (await findBan(world.db, { memberId, nowMs: world.nowMs() })) !== undefined;
      const [role] = await rolesShown(world, member);
      expect(role?.[0]).toBe(isBanned ? 11 : 2 + (round % 3));
      expect((await world.signIn(member.email)) === undefined).toBe(isBanned);
      expect(await findMember(world.db, memberId)).toMatchObject({ roleType: 2 + (round % 3) });
      const filter = { subjectKind: 'member', subjectId: String(memberId) };
      const lines = (await world.call('audit.list', filter, world.root)).data as { after: object | null }[];
      expect(lines.find(({ after }) => after && 'banned' in after)).toMatchObject({
        after: { banned: isBanned },
      });
    }
  });
});
