import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner, setMemberRole } from '@gatehouse/db/queries/change-member';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { setPersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { readOutbox, type TestMember, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FactorWorld, startFactorWorld } from '../test/factor-world.js';
import { insertTestInvitation } from '../test/invitations.js';

const OPTIONS = { timeout: 120_000 };

const reason = 'They asked for it';

/** An account of which a new member is the primary owner. */
async function accountOf(
  world: FactorWorld,
  owner: TestMember,
  others: Readonly<Record<number, number>> = {},
) {
  const made = await world.call('account.create', { name: 'Harbour' }, { token: owner.token });
  const { id: accountId } = z.object({ id: z.int() }).parse(made.data);
  const nowMs = world.nowMs();
  const members = Object.keys(others).map(Number);
  await changeAccess(world.db, { members }, async (tx) => {
    for (const memberId of members)
      await setMembership(tx, { memberId, accountId, roleType: others[memberId] ?? 5, nowMs });
  });
  return accountId;
}

async function setPolicy({ db, nowMs }: FactorWorld, accountId: number, requiredLevel: number) {
  const policy = { requiredLevel, requiredFromMs: null, requiredUntilThen: 1 };
  await changeAccess(db, { accounts: [accountId] }, (tx) =>
    setAccountPolicy(tx, { accountId, nowMs: nowMs(), ...policy }),
  );
}

/** Staff of base role 0 in a session of level 2. */
async function enrolledRoot(world: FactorWorld) {
  const member = await world.enrolled({ ttlSeconds: 7_200 });
  const change = { memberId: member.id, roleType: 0, role: 'Admin', isPersonnel: true, nowMs: 1 };
  await changeAccess(world.db, { members: [member.id] }, (tx) => setMemberRole(unsettled(tx), change));
  return member;
}

const stateOf = async ({ db }: FactorWorld, accountId: number) => {
  const account = await findAccount(db, accountId);
  return { ownerId: account?.ownerId, isDeleted: account?.isDeleted };
};

/** The audit log of an account: the action, the actor and the subject. */
async function linesOf({ db }: FactorWorld, accountId: number) {
  const rows = await db.select().from(db.tables.auditLog);
  return rows
    .filter((row) => row.accountId === accountId)
    .map(({ action, actorId, onBehalfOfId }) => [action, actorId, onBehalfOfId]);
}

describe('an account that requires a level', () => {
  it.each(['close', 'transfer'] as const)(
    'is not moved or closed by its owner’s deletion in a session below it: %s',
    OPTIONS,
    async (action) => {
      await using world = await startFactorWorld();
      const owner = await world.member();
      const [heir, coOwner] = [await world.enrolled(), await world.enrolled()];
      const accountId = await accountOf(world, owner, { [heir.id]: 1, [coOwner.id]: 1 });
      await setPolicy(world, accountId, 2);
      const end = action === 'close' ? { accountId, action } : { accountId, action, memberId: heir.id };
      const deletion = (token: string) => world.call('member.deleteOwn', { accounts: [end] }, { token });
      const before = await linesOf(world, accountId);
      expect((await deletion(owner.token)).code).toBe('enrolment_required');
      expect(await stateOf(world, accountId)).toEqual({ ownerId: owner.id, isDeleted: false });
      expect(await linesOf(world, accountId)).toEqual(before);
      expect((await world.main.send('/auth/me', { token: owner.token })).status).toBe(200);
      expect(await findMembership(world.db, { memberId: coOwner.id, accountId })).toMatchObject({
        roleType: 1,
      });

      expect((await deletion((await world.enrol(owner)).token)).status).toBe(200);
      expect(await stateOf(world, accountId)).toEqual(
        action === 'close' ? { ownerId: owner.id, isDeleted: true } : { ownerId: heir.id, isDeleted: false },
      );
      expect((await linesOf(world, accountId)).at(-1)).toEqual(
        action === 'close'
          ? ['account.closed', owner.id, null]
          : ['account.ownership-moved', owner.id, heir.id],
      );
    },
  );

  it(
    'is named to an owner who deletes themselves without a choice, in a session of any level',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const [owner, other] = [await world.member(), await world.member()];
      const accountId = await accountOf(world, owner, { [other.id]: 1 });
      await setPolicy(world, accountId, 2);
      const { token } = owner;
      const { code, body } = await world.call('member.deleteOwn', {}, { token });
      expect(code).toBe('sole_owner');
      const own = await world.call('session.me', {}, { token, query: true });
      expect(own.body).toMatchObject({
        memberships: [{ accountId, accountName: 'Harbour', requires: { level: 2, by: 'account' } }],
      });
      const told = 'The account "Harbour" would be left without its primary owner';
      expect(body).toMatchObject({
        error: { issues: [{ path: `accounts.${accountId}`, message: told }] },
      });
      expect((await linesOf(world, accountId)).at(-1)).toEqual(['account.created', owner.id, null]);
    },
  );

  it(
    'is inherited only by a member who has proven the address and has the factors of the level',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const owner = await world.enrolled();
      const root = await enrolledRoot(world);
      const [ready, plain, clicked] = [await world.enrolled(), await world.member(), await world.enrolled()];
      const places = { [ready.id]: 1, [plain.id]: 1, [clicked.id]: 1 };
      const accountId = await accountOf(world, owner, places);
      await world.db.write(world.db.update(world.db.tables.members).set({ ownerProvenAtMs: null }));
      for (const { id } of [owner, ready, plain])
        await changeAccess(world.db, { members: [id] }, (tx) =>
          proveOwner(tx, { memberId: id, expectedPassword: undefined, nowMs: world.nowMs() }),
        );
      await setPolicy(world, accountId, 2);
      const headers = { accountid: String(accountId) };
      const asOwner = (heir: TestMember) =>
        world.call('account.transferOwnership', { memberId: heir.id }, { token: owner.token, headers });
      const asStaff = (heir: TestMember) => {
        const input = { accountId, memberId: heir.id, reason };
        return world.call('account.transferOwnership', input, { token: root.token, on: world.admin });
      };
      const inDeletion = (heir: TestMember) => {
        const accounts = [{ accountId, action: 'transfer', memberId: heir.id }];
        return world.call('member.deleteOwn', { accounts }, { token: owner.token });
      };
      for (const way of [asOwner, asStaff, inDeletion]) {
        expect((await way(plain)).code).toBe('owner_lacks_factor');
        const unproven = await way(clicked);
        expect(unproven.code).toBe('unconfirmed');
        expect(unproven.body).toMatchObject({
          error: {
            issues: [
              { path: 'memberId', message: expect.stringMatching(/^The new owner has not/) as string },
            ],
          },
        });
        expect(await stateOf(world, accountId)).toEqual({ ownerId: owner.id, isDeleted: false });
      }
      expect((await inDeletion(ready)).status).toBe(200);
    },
  );

  it(
    'cannot be transferred, closed or restored by administrators in a session below it',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const { admin } = world;
      const [owner, heir] = [await world.enrolled(), await world.enrolled()];
      const root = await world.member({ isPersonnel: true, roleType: 0 });
      const other = await accountOf(world, owner);
      const accountId = await accountOf(world, owner, { [heir.id]: 1 });
      await setPolicy(world, accountId, 2);
      const ask = (name: string, input: object) => world.call(name, input, { token: root.token, on: admin });
      for (const [name, input] of [
        ['account.transferOwnership', { accountId, memberId: heir.id, reason }],
        ['account.remove', { accountId }],
        ['member.remove', { memberId: owner.id, closeAccounts: true }],
        ['member.remove', { memberId: heir.id }],
      ] as const)
        expect([name, (await ask(name, input)).code]).toEqual([name, 'enrolment_required']);
      for (const id of [accountId, other])
        expect(await stateOf(world, id)).toEqual({ ownerId: owner.id, isDeleted: false });
      await world.call(
        'account.close',
        { name: 'Harbour' },
        {
          token: owner.token,
          headers: { accountid: String(accountId) },
        },
      );
      expect((await ask('account.restore', { accountId, reason })).code).toBe('enrolment_required');
      expect(await stateOf(world, accountId)).toMatchObject({ isDeleted: true });
      // The limits of staff below the level do not concern members who are not staff.
      const stranger = await world.member();
      const restore = await world.call('account.restore', { accountId }, { token: stranger.token });
      expect(restore.code).toBe('not_found');
    },
  );

  it('lets people join, decline and leave in a session below it', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const owner = await world.enrolled();
    const accountId = await accountOf(world, owner);
    const guest = await world.member();
    await setPolicy(world, accountId, 3);
    const invite = () =>
      insertTestInvitation(world.db, { accountId, inviterId: owner.id, email: guest.email });
    const answer = async (name: string) =>
      world.call(name, { invitationId: await invite() }, { token: guest.token });
    expect((await answer('invitation.decline')).status).toBe(200);
    expect((await answer('invitation.accept')).status).toBe(200);
    const headers = { accountid: String(accountId) };
    const list = await world.main.send('/v1/role/list', { token: guest.token, headers });
    expect(list.status).toBe(403);
    expect((await world.call('membership.leave', {}, { token: guest.token, headers })).status).toBe(200);
    expect(await findMembership(world.db, { memberId: guest.id, accountId })).toBeUndefined();
    expect((await linesOf(world, accountId)).slice(-3).map(([action]) => action)).toEqual([
      'invitation.declined',
      'invitation.accepted',
      'membership.left',
    ]);
    // A member who owns no account with a level can be deleted in any session.
    const other = await accountOf(world, guest);
    await answer('invitation.accept');
    expect((await world.call('member.deleteOwn', {}, { token: guest.token })).status).toBe(200);
    expect(await stateOf(world, other)).toMatchObject({ isDeleted: true });
  });

  it(
    'is restored by the mailed link of a deletion, and is then closed to a session below it',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const owner = await world.enrolled();
      const accountId = await accountOf(world, owner);
      await setPolicy(world, accountId, 2);
      expect((await world.call('member.deleteOwn', {}, { token: owner.token })).status).toBe(200);
      const mail = (await readOutbox(world.main)).find(({ kind }) => kind === 'memberDeleted');
      expect(
        (
          await world.call('member.restoreOwn', {
            token: mail?.token ?? '',
            password: DEMONSTRATION_PASSWORD,
          })
        ).status,
      ).toBe(200);
      expect(await stateOf(world, accountId)).toEqual({ ownerId: owner.id, isDeleted: false });
      await changeAccess(world.db, { members: [owner.id] }, async (tx) => {
        await tx.write(tx.update(tx.tables.members).set({ secondFactor: false }));
      });
      const token = String((await world.signIn(owner)).data['token']);
      const headers = { accountid: String(accountId) };
      const rename = await world.call('account.rename', { name: 'Other' }, { token, headers });
      expect(rename.code).toBe('verification_required');
    },
  );

  it(
    'is left out of exports in a session below it, and an export in a session above it is audited',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const { admin, db } = world;
      const owner = await world.member({ ttlSeconds: 7_200 });
      const [plainRoot, root] = [
        await world.member({ isPersonnel: true, roleType: 0 }),
        await enrolledRoot(world),
      ];
      const accountId = await accountOf(world, owner);
      const nowMs = world.nowMs();
      const { conversations, messages, participants } = db.tables;
      const conversationId = await db.insert(conversations, { accountId, title: 'Talk', createdAtMs: nowMs });
      const said = { conversationId, memberId: owner.id };
      await db.insert(participants, { ...said, joinedAtMs: nowMs });
      await db.insert(messages, { ...said, body: 'said in confidence', createdAtMs: nowMs });
      await setPolicy(world, accountId, 2);
      const exported = async (how: { token: string; staff?: true }) => {
        const path = how.staff ? '/v1/member/export' : '/v1/member/exportOwn';
        const body = how.staff ? { memberId: owner.id, reason } : {};
        const response = await (how.staff ? admin : world.main).send(path, { token: how.token, body });
        return z
          .object({
            data: z.object({
              messages: z.array(z.unknown()),
              conversations: z.array(z.unknown()),
              memberships: z.array(z.looseObject({ accountId: z.int(), accountName: z.string().nullable() })),
              withheldAccounts: z.array(z.int()),
            }),
          })
          .parse(await response.json()).data;
      };
      const line = () => linesOf(world, accountId).then((lines) => lines.at(-1)?.slice(0, 2));
      for (const how of [{ token: owner.token }, { token: plainRoot.token, staff: true } as const]) {
        const page = await exported(how);
        expect([page.messages, page.conversations, page.withheldAccounts]).toEqual([[], [], [accountId]]);
        expect(page.memberships).toMatchObject([{ accountId, accountName: null }]);
        expect((await line())?.[0]).not.toBe('account.exported');
      }
      world.wait(3_600_000);
      await world.call('verification.prove', { password: DEMONSTRATION_PASSWORD }, { token: owner.token });
      await world.enrol(owner);
      for (const [how, actorId] of [
        [{ token: owner.token }, owner.id],
        [{ token: root.token, staff: true }, root.id],
      ] as const) {
        const page = await exported(how);
        expect([page.messages.length, page.conversations.length, page.withheldAccounts]).toEqual([1, 1, []]);
        expect(page.memberships).toMatchObject([{ accountId, accountName: 'Harbour' }]);
        expect(await line()).toEqual(['account.exported', actorId]);
      }
    },
  );

  it(
    'keeps its grants when staff in a session below it save a colleague, and accepts no new ones',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const { admin, db } = world;
      const root = await world.member({ isPersonnel: true, roleType: 0 });
      const colleague = await world.member({ isPersonnel: true, roleType: 6 });
      const [owner, other] = [await world.enrolled(), await world.member()];
      const accountId = await accountOf(world, owner);
      const open = await accountOf(world, other);
      await changeAccess(db, { members: [colleague.id] }, (tx) =>
        setPersonnelGrant(unsettled(tx), { personnelId: colleague.id, accountId, nowMs: 1 }),
      );
      await setPolicy(world, accountId, 2);
      const save = (personnelId: number, accountIds: number[]) =>
        world.call('personnel.save', { personnelId, accountIds }, { token: root.token, on: admin });
      const saved = await save(colleague.id, [open]);
      expect([saved.status, saved.data['grants']]).toEqual([
        200,
        [expect.objectContaining({ accountId: open })],
      ]);
      const grants = await db.select().from(db.tables.personnelGrants);
      expect(
        grants.filter(({ personnelId, isDeleted }) => personnelId === colleague.id && !isDeleted),
      ).toMatchObject([{ accountId, updatedAtMs: 1 }, { accountId: open }]);
      const another = await world.member({ isPersonnel: true, roleType: 6 });
      expect((await save(another.id, [accountId])).code).toBe('enrolment_required');
    },
  );
});
