import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { endGrace } from '../../test/end-grace.js';
import { ownerlessAccounts } from '../../test/ownerless-accounts.js';
import { TRANSPORTS } from '../../test/people-world.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';
import { accountErasure } from '../erasure-jobs.js';

const DAY_MS = 86_400_000;

const reason = 'Asked for by its owner';

async function openAccount(world: SupportWorld, name = 'Kiln') {
  const owner = await world.member();
  const made = await world.call('account.create', { name }, owner, { on: world.main });
  return { owner, accountId: (made.data as { id: number }).id };
}

describe('closed accounts', () => {
  it('are found only by their state, only by staff of base role 0, until they are erased', async () => {
    await using world = await startSupportWorld();
    const { accountId } = await openAccount(world, 'Kiln and Oven');
    const grantee = await world.member({ roleType: 6, isPersonnel: true, grants: [2, accountId] });
    const found = async (input: object, as = world.root) => {
      const { data } = await world.call('account.search', input, as);
      return (data as { id: number }[]).map(({ id }) => id);
    };
    expect(await found({ state: 'closed' })).toEqual([]);
    await world.call('account.remove', { accountId }, world.root);
    expect(await found({ state: 'closed' })).toEqual([accountId]);
    expect(await found({ state: 'closed', search: 'kiln' })).toEqual([accountId]);
    expect(await found({ state: 'closed', search: 'acme' })).toEqual([]);
    expect(await found({ state: 'closed' }, grantee)).toEqual([]);
    for (const state of [{}, { state: 'live' }]) expect(await found(state)).not.toContain(accountId);
    await endGrace(world.db, 31 * DAY_MS);
    await accountErasure.run(world.main.services);
    expect(await found({ state: 'closed' })).toEqual([]);
  });
});

describe('a closed account that staff restore', () => {
  it('is open to the next request on every node, whether staff or its owner closed it', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const { owner, accountId } = await openAccount(world);
      const as = { token: owner.token, accountId };
      for (const close of ['staff', 'owner'] as const) {
        const closed =
          close === 'staff'
            ? await world.call('account.remove', { accountId }, world.root)
            : await world.call('account.close', { name: 'Kiln' }, as, { on: world.main });
        expect([close, closed.status]).toEqual([close, 200]);
        expect(await world.statuses(as)).toEqual([403, 403, 403]);
        const how = { transport, on: world.otherAdmin };
        const restored = await world.call('account.restore', { accountId, reason }, world.root, how);
        expect([restored.status, restored.data]).toMatchObject([
          200,
          { id: accountId, name: 'Kiln', ownerId: owner.id },
        ]);
        expect(await world.statuses(as)).toEqual([200, 200, 200]);
        expect((await world.call('account.restore', { accountId, reason }, world.root, how)).status).toBe(
          200,
        );
      }
      const filter = { subjectKind: 'account', subjectId: String(accountId), action: 'account.restored' };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
        { before: { closedById: owner.id }, after: { reason } },
        { before: { closedById: world.root.id }, after: { reason } },
      ]);
    }
  });

  it('has the grants that staff still have, and none that they lost meanwhile', async () => {
    await using world = await startSupportWorld();
    const { accountId } = await openAccount(world);
    const person = () => world.member({ roleType: 6, isPersonnel: true, grants: [2, accountId] });
    const [taken, bare, paused] = [await person(), await person(), await person()];
    const reach = async (as: typeof taken) =>
      (await world.admin.send('/auth/me', { token: await as.signInAgain(), accountId })).status;
    for (const as of [taken, bare, paused]) expect(await reach(as)).toBe(200);
    await world.call('account.remove', { accountId }, world.root);
    const save = async (as: typeof taken, change: object) =>
      (await world.call('personnel.save', { personnelId: as.id, ...change }, world.root)).status;
    expect(await save(taken, { accountIds: [2] })).toBe(200);
    expect(await save(bare, { accountIds: [] })).toBe(200);
    expect([await save(paused, { active: false }), await save(paused, { active: true })]).toEqual([200, 200]);
    const filter = { subjectId: String(taken.id), action: 'personnel.changed' };
    expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
      { before: { accountIds: [2, accountId] }, after: { accountIds: [2] } },
    ]);
    expect((await world.call('account.restore', { accountId, reason }, world.root)).status).toBe(200);
    expect([await reach(taken), await reach(bare), await reach(paused)]).toEqual([403, 403, 200]);
  });

  it('stays closed if its primary owner is deleted, its grace period is over, or the staff are not of base role 0', async () => {
    await using world = await startSupportWorld({ SESSION_ABSOLUTE: '90d' });
    const { owner, accountId } = await openAccount(world);
    const late = await openAccount(world, 'Late');
    await world.call('member.remove', { memberId: owner.id }, world.root);
    await world.call('account.remove', { accountId: late.accountId }, world.root);
    for (const transport of TRANSPORTS) {
      const orphan = await world.call('account.restore', { accountId, reason }, world.root, { transport });
      expect([orphan.status, orphan.code, orphan.issues]).toEqual([
        409,
        'sole_owner',
        [
          {
            path: `accounts.${accountId}`,
            message: 'The account "Kiln" would be left without its primary owner',
          },
        ],
      ]);
      const asManager = await world.call('account.restore', { accountId: 2, reason }, world.manager, {
        transport,
      });
      expect(asManager.code).toBe('permission_denied');
      expect(
        (await world.call('account.restore', { accountId: 999_999, reason }, world.root, { transport }))
          .status,
      ).toBe(404);
    }
    world.wait(30 * DAY_MS + 1000);
    const root = await world.member({ roleType: 0, isPersonnel: true });
    for (const transport of TRANSPORTS) {
      const { code } = await world.call('account.restore', { accountId: late.accountId, reason }, root, {
        transport,
      });
      expect(code).toBe('grace_over');
    }
    await endGrace(world.db, 31 * DAY_MS);
    await accountErasure.run(world.main.services);
    expect((await findAccount(world.db, late.accountId))?.name).toBe('');
    expect((await world.call('account.restore', { accountId: late.accountId, reason }, root)).code).toBe(
      'grace_over',
    );
  });

  it('is open with a live owner, or stays closed, while its owner leaves or its content is erased', async () => {
    await using world = await startSupportWorld();
    for (let round = 0; round < 4; round += 1) {
      const { owner, accountId } = await openAccount(world, `Round ${round}`);
      await world.call('account.remove', { accountId }, world.root);
      const answers = await Promise.all([
        world.call('account.restore', { accountId, reason }, world.root),
        world.call('member.deleteOwn', {}, owner, { on: world.main }),
        world.call('account.restore', { accountId, reason }, world.root, { on: world.otherAdmin }),
      ]);
      for (const { status } of answers) expect([200, 401, 409, 503]).toContain(status);
      expect(await ownerlessAccounts(world.db)).toEqual([]);
    }
    const { accountId } = await openAccount(world, 'Last');
    await world.call('account.remove', { accountId }, world.root);
    const [restored] = await Promise.all([
      world.call('account.restore', { accountId, reason }, world.root),
      endGrace(world.db, 31 * DAY_MS).then(() => accountErasure.run(world.main.services)),
    ]);
    await accountErasure.run(world.main.services);
    const account = await findAccount(world.db, accountId);
    expect([account?.isDeleted, account?.name]).toEqual(
      restored.status === 200 ? [false, 'Last'] : [true, ''],
    );
  });
});

describe('an account that staff transfer', () => {
  it('goes to a confirmed member of it, and both owners are notified', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const { owner, accountId } = await openAccount(world, `Forge ${transport}`);
      const heir = await world.member({ memberships: { [accountId]: 5 } });
      const input = { accountId, memberId: heir.id, reason };
      const moved = await world.call('account.transferOwnership', input, world.root, { transport });
      expect([moved.status, moved.data]).toMatchObject([200, { id: accountId, ownerId: heir.id }]);
      const seen = await world.main.send('/auth/me', { token: heir.token, accountId });
      expect(await seen.json()).toMatchObject({ currentAccount: { role: 1 } });
      const told = (await readOutbox(world.main)).filter(
        ({ kind, text }) => kind === 'ownershipMoved' && text.includes(`Forge ${transport}`),
      );
      expect(told.map(({ to }) => to).toSorted()).toEqual([owner.email, heir.email].toSorted());
      for (const { subject, html } of told) {
        expect(subject).toMatch(
          /^(You are now the owner of|Support transferred the ownership of) “Forge .+”$/,
        );
        expect(html).toContain(`Forge ${transport}`);
      }
      const again = await world.call('account.transferOwnership', input, world.root, { transport });
      expect([again.status, again.data]).toEqual([200, moved.data]);
      const filter = {
        subjectKind: 'account',
        subjectId: String(accountId),
        action: 'account.ownership-moved',
      };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
        { actorId: world.root.id, before: { ownerId: owner.id }, after: { ownerId: heir.id, reason } },
      ]);
    }
  });

  it('cannot go to anybody else, and needs a recent verification', async () => {
    await using world = await startSupportWorld();
    const { accountId } = await openAccount(world);
    const heir = await world.member({ memberships: { [accountId]: 5 } });
    const unconfirmed = await world.member({ isConfirmed: false, memberships: { [accountId]: 5 } });
    const colleague = await world.member({ roleType: 6, isPersonnel: true, memberships: { [accountId]: 5 } });
    const banned = await world.member({ memberships: { [accountId]: 5 } });
    const stranger = await world.member();
    await world.call('member.ban', { memberId: banned.id }, world.root);
    for (const transport of TRANSPORTS) {
      const cases = [
        [unconfirmed.id, 'unconfirmed'],
        [colleague.id, 'permission_denied'],
        [banned.id, 'not_found'],
        [stranger.id, 'not_found'],
        [999_999, 'not_found'],
      ] as const;
      for (const [memberId, code] of cases) {
        const refused = await world.call(
          'account.transferOwnership',
          { accountId, memberId, reason },
          world.root,
          { transport },
        );
        expect([memberId, refused.code]).toEqual([memberId, code]);
      }
      const asManager = { accountId: 2, memberId: 3, reason };
      const refused = await world.call('account.transferOwnership', asManager, world.manager, { transport });
      expect(refused.code).toBe('permission_denied');
    }
    world.wait(11 * 60_000);
    const input = { accountId, memberId: heir.id, reason };
    for (const transport of TRANSPORTS) {
      const stale = await world.call('account.transferOwnership', input, world.root, { transport });
      expect([stale.status, stale.code]).toEqual([403, 'verification_required']);
    }
  });

  it('has one owner of role 1 after a concurrent transfer, demotion and departure', async () => {
    await using world = await startSupportWorld();
    const second = await world.member({ roleType: 0, isPersonnel: true });
    for (let round = 0; round < 5; round += 1) {
      const { owner, accountId } = await openAccount(world, `Round ${round}`);
      const heirs = [
        await world.member({ memberships: { [accountId]: 5 } }),
        await world.member({ memberships: { [accountId]: 2 } }),
      ] as const;
      const as = { token: owner.token, accountId };
      const answers = await Promise.all([
        world.call('account.transferOwnership', { accountId, memberId: heirs[0].id, reason }, world.root),
        world.call('account.transferOwnership', { accountId, memberId: heirs[1].id, reason }, second, {
          on: world.otherAdmin,
        }),
        world.call('membership.leave', {}, { token: heirs[0].token, accountId }, { on: world.main }),
        world.call('membership.changeRole', { memberId: heirs[1].id, roleType: 5 }, as, { on: world.main }),
        world.call('membership.save', { memberId: heirs[0].id, accountId, roleType: 5 }, second, {
          on: world.otherAdmin,
        }),
      ]);
      for (const { status } of answers) expect([200, 403, 404, 409, 503]).toContain(status);
      expect(await ownerlessAccounts(world.db)).toEqual([]);
      const account = await findAccount(world.db, accountId);
      expect([owner.id, heirs[0].id, heirs[1].id]).toContain(account?.ownerId);
    }
    expect(await findMember(world.db, second.id)).toMatchObject({ roleType: 0 });
  });
});
