// @module-tag slow
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { listOwnerlessAccounts } from '@gatehouse/db/queries/read-accounts';
import { startService, type TestMember } from '@gatehouse/testkit';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { ownerlessAccounts } from '../test/ownerless-accounts.js';
import { PASSWORD, type PeopleWorld, startPeopleWorld } from '../test/people-world.js';

const PEOPLE = 4;

const ACCOUNTS = 2;

const who = fc.nat({ max: PEOPLE - 1 });

const where = fc.nat({ max: ACCOUNTS - 1 });

const role = fc.constantFrom(0, 1, 1, 2, 5);

const active = fc.boolean();

/** All operations on memberships, accounts, bans and deletions, by members and by staff. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant('changeRole'), actor: who, subject: who, account: where, role }),
  fc.record({ kind: fc.constant('remove'), actor: who, subject: who, account: where }),
  fc.record({ kind: fc.constant('leave'), actor: who, account: where }),
  fc.record({ kind: fc.constant('transfer'), actor: who, subject: who, account: where }),
  fc.record({ kind: fc.constant('close'), actor: who, account: where }),
  fc.record({ kind: fc.constant('restore'), actor: who, account: where }),
  fc.record({ kind: fc.constant('saveByStaff'), subject: who, account: where, role, active }),
  fc.record({ kind: fc.constant('removeByStaff'), subject: who, account: where }),
  fc.record({ kind: fc.constant('closeByStaff'), account: where }),
  fc.record({ kind: fc.constant('archive'), subject: who }),
  fc.record({ kind: fc.constant('ban'), subject: who }),
  fc.record({ kind: fc.constant('unban'), subject: who }),
  fc.record({ kind: fc.constant('promote'), subject: who }),
  fc.record({ kind: fc.constant('delete'), subject: who, closeAccounts: active }),
  fc.record({ kind: fc.constant('deleteOwn'), actor: who, account: where, closes: active }),
  fc.record({ kind: fc.constant('restoreOwn'), subject: who }),
);

/** Each kind of operation in a situation where it succeeds, in one sequence: in a random sequence a kind may never succeed. */
const EACH_KIND = [
  { kind: 'changeRole', actor: 0, subject: 3, account: 0, role: 2 },
  { kind: 'transfer', actor: 0, subject: 2, account: 0 },
  { kind: 'remove', actor: 2, subject: 3, account: 0 },
  { kind: 'leave', actor: 3, account: 1 },
  { kind: 'saveByStaff', subject: 3, account: 0, role: 5, active: true },
  { kind: 'removeByStaff', subject: 3, account: 0 },
  { kind: 'ban', subject: 3 },
  { kind: 'unban', subject: 3 },
  { kind: 'close', actor: 1, account: 1 },
  { kind: 'restore', actor: 1, account: 1 },
  { kind: 'closeByStaff', account: 1 },
  { kind: 'deleteOwn', actor: 2, account: 0, closes: true },
  { kind: 'restoreOwn', subject: 2 },
  { kind: 'archive', subject: 3 },
  { kind: 'promote', subject: 0 },
  { kind: 'delete', subject: 1, closeAccounts: true },
] as const;

/** Comes back by the link that the mail after a deletion holds. */
async function restoreOwn({ service, db, call }: PeopleWorld, userId: number) {
  const rows = await db.select().from(db.tables.members);
  const erasesAtMs = rows.find(({ id }) => id === userId)?.erasesAtMs ?? 1;
  const { token } = service.services.tokens.sealOneUse({ type: 'memberRestore', userId, erasesAtMs }, 3_600);
  return call('member.restoreOwn', { token, password: PASSWORD }, {});
}

it('an open account has a live primary owner after any sequence of operations, unless that owner was banned', async () => {
  await using world = await startPeopleWorld();
  await using admin = await startService(createAdminApp, {
    dialect: inject('dialect'),
    application: 'admin',
    database: world.db,
  });
  const root = await world.member({ roleType: 0, isPersonnel: true });
  const served = new Set<string>();

  const anySequence = fc.asyncProperty(
    fc.array(operation, { minLength: 8, maxLength: 25 }),
    async (operations) => {
      const accounts = [await world.account(), await world.account()];
      const [first, second] = [accounts[0]?.id ?? 0, accounts[1]?.id ?? 0];
      const others = [
        await world.member({ memberships: { [first]: 1, [second]: 1 } }),
        await world.member({ memberships: { [first]: 5, [second]: 2 } }),
      ];
      const people = [...accounts.map(({ owner }) => owner), ...others];
      const person = (at: number) => people[at] as TestMember;
      const place = (at: number) => accounts[at] as (typeof accounts)[number];
      const asStaff = async (name: string, body: object) => {
        const answer = await admin.send(`/v1/${name}`, { token: root.token, body });
        return { status: answer.status, body: (await answer.json()) as { data?: object } };
      };

      for (const each of operations) {
        const memberId = 'subject' in each ? person(each.subject).id : 0;
        const accountId = 'account' in each ? place(each.account).id : 0;
        const as = 'actor' in each ? { token: person(each.actor).token, accountId } : root;
        const { status } = await (() => {
          switch (each.kind) {
            case 'changeRole':
              return world.call('membership.changeRole', { memberId, roleType: each.role }, as);
            case 'remove':
              return world.call('membership.remove', { memberId }, as);
            case 'leave':
              return world.call('membership.leave', {}, as);
            case 'transfer':
              return world.call('account.transferOwnership', { memberId }, as);
            case 'close':
              return world.call('account.close', { name: place(each.account).name }, as);
            case 'restore':
              return world.call('account.restore', { accountId }, { token: as.token });
            case 'saveByStaff':
              return asStaff('membership/save', {
                memberId,
                accountId,
                roleType: each.role,
                active: each.active,
              });
            case 'removeByStaff':
              return asStaff('membership/remove', { memberId, accountId });
            case 'closeByStaff':
              return asStaff('account/remove', { accountId });
            case 'archive':
              return asStaff('member/update', { memberId, roleType: 11 });
            case 'ban':
              return asStaff('member/ban', { memberId });
            case 'unban':
              return asStaff('member/unban', { memberId });
            case 'promote':
              return asStaff('personnel/promote', { memberId });
            case 'deleteOwn': {
              const accounts = each.closes ? [{ accountId, action: 'close' }] : [];
              return world.call('member.deleteOwn', { accounts }, { token: as.token });
            }
            case 'restoreOwn':
              return restoreOwn(world, memberId);
            default:
              return asStaff('member/remove', { memberId, closeAccounts: each.closeAccounts });
          }
        })();
        if (status === 200) served.add(each.kind);
        expect(status, each.kind).toBeLessThan(500);
        const ownerless = await ownerlessAccounts(world.db);
        expect(ownerless.filter(({ isBanned }) => !isBanned)).toEqual([]);
        const listed = await listOwnerlessAccounts(world.db, { nowMs: Date.now(), limit: 1_000 });
        expect(listed.map(({ id }) => id)).toEqual(ownerless.map(({ accountId: id }) => id));
      }
    },
  );
  await fc.assert(anySequence, { numRuns: 26, examples: [[[...EACH_KIND]]] });
  expect([...served].toSorted()).toEqual(EACH_KIND.map(({ kind }) => kind).toSorted());
}, 240_000);

it('a ban returns the accounts that lose their primary owner by it', async () => {
  await using world = await startPeopleWorld();
  await using admin = await startService(createAdminApp, {
    dialect: inject('dialect'),
    application: 'admin',
    database: world.db,
  });
  const { id, name, owner } = await world.account();
  const root = await world.member({ roleType: 0, isPersonnel: true });
  const body = { memberId: owner.id };
  const answer = await admin.send('/v1/member/ban', { token: root.token, body });
  expect(await answer.json()).toMatchObject({ status: true, data: { ownerlessAccounts: [{ id, name }] } });
  expect(await ownerlessAccounts(world.db)).toEqual([{ accountId: id, ownerId: owner.id, isBanned: true }]);
});

it('deleting a member closes the accounts without other members, and returns those with other members', async () => {
  await using world = await startPeopleWorld();
  await using admin = await startService(createAdminApp, {
    dialect: inject('dialect'),
    application: 'admin',
    database: world.db,
  });
  const root = await world.member({ roleType: 0, isPersonnel: true });
  const { id, name, owner } = await world.account();
  const remove = () => admin.send('/deleteUser', { token: root.token, body: { userId: owner.id } });
  const other = await world.member({ memberships: { [id]: 5 } });
  const refused = await remove();
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'sole_owner',
      issues: [
        {
          path: `accounts.${id}`,
          message: `The account "${name}" would be left without its primary owner`,
        },
      ],
    },
  });
  await world.call('membership.leave', {}, { token: other.token, accountId: id });
  expect((await remove()).status).toBe(200);
  const [account] = (await world.db.select().from(world.db.tables.accounts)).filter((row) => row.id === id);
  expect(account).toMatchObject({ isDeleted: true, closedWithMemberId: owner.id, closedById: root.id });
});
