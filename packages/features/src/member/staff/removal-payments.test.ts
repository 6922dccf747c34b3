import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { billingEnvironment } from '@gatehouse/simulator';
import { insertTestMember, startService, unsettled } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startShop } from '../../test/shop-world.js';

const dialect = inject('dialect');

/** An owner with a paid account, and staff who can delete either. */
async function start() {
  const shop = await startShop({ dialect });
  const { database, simulator } = shop;
  const admin = await startService(createAdminApp, {
    dialect,
    application: 'admin',
    database,
    env: billingEnvironment(simulator.url),
  });
  const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
  const payer = await insertTestMember(database, { isConfirmed: true });
  const { token } = payer;
  const made = await shop.ask('account.create', { input: { name: 'Solo' }, token });
  const { id: accountId } = made.data as { id: number };
  const { data } = await shop.ask('billing.checkout', { input: { plan: 'team' }, token, accountId });
  const staff = async (path: string, body: object, token = root.token) => {
    const response = await admin.send(path, { token, body });
    const answer = (await response.json()) as { error?: { code: string; issues?: object[] } };
    return { status: response.status, code: answer.error?.code };
  };
  const account = async () =>
    (await database.select().from(database.tables.accounts)).find(({ id }) => id === accountId);
  return {
    shop,
    staff,
    payer,
    accountId,
    url: data.url ?? '',
    account,
    standing: async () => {
      const rows = await database.select().from(database.tables.subscriptions);
      return rows.find((row) => row.accountId === accountId)?.state;
    },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

describe('a deletion by staff', () => {
  it.each(['/deleteUser', '/deleteAccount'])(
    'ends the payments, and %s is refused while the provider does not confirm the end',
    async (path) => {
      await using world = await start();
      const { shop, staff, payer, accountId } = world;
      await shop.visit(world.url, { action: 'pay' });
      expect(await world.standing()).toBe('active');
      const remove = () => staff(path, path === '/deleteUser' ? { userId: payer.id } : { accountId });
      shop.simulator.billing.misbehave('stripe', 'error500');
      expect(await remove()).toMatchObject({ status: 502, code: 'provider_failed' });
      expect(await world.account()).toMatchObject({ isDeleted: false });
      expect((await shop.ask('account.listMine', { token: payer.token })).status).toBe(200);
      shop.simulator.billing.misbehave('stripe', null);
      expect((await remove()).status).toBe(200);
      expect(await world.account()).toMatchObject({ isDeleted: true });
      await shop.settle();
      expect(await world.standing()).toBe('canceled');
    },
  );

  it.each(['/deleteUser', '/deleteAccount'])('leaves no open checkout: %s', async (path) => {
    await using world = await start();
    const { shop, staff, payer, accountId } = world;
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
    const body = path === '/deleteUser' ? { userId: payer.id } : { accountId };
    expect((await staff(path, body)).status).toBe(200);
    expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
    expect(await shop.visit(world.url, { action: 'pay' })).toBe(null);
  });

  it('closes accounts with other members on request, and ends nothing if it is refused', async () => {
    await using world = await start();
    const { shop, staff, payer, accountId } = world;
    const guest = await insertTestMember(shop.database, { memberships: { [accountId]: 3 } });
    const userId = payer.id;
    expect(await staff('/deleteUser', { userId })).toMatchObject({ status: 409, code: 'sole_owner' });
    expect(await staff('/deleteUser', { userId, closeAccounts: 'false' })).toMatchObject({
      code: 'sole_owner',
    });
    expect(shop.simulator.billing.openCheckouts('stripe')).toHaveLength(1);
    expect((await staff('/deleteUser', { userId, closeAccounts: true })).status).toBe(200);
    expect(await world.account()).toMatchObject({ isDeleted: true, closedWithMemberId: payer.id });
    expect(shop.simulator.billing.openCheckouts('stripe')).toEqual([]);
    const inside = await shop.ask('subscription.current', { token: guest.token, accountId });
    expect(inside).toMatchObject({ status: 403, code: 'account_forbidden' });
  });

  it('leaves no member who joins at the same time in a closed account', async () => {
    await using world = await start();
    const { shop, staff } = world;
    const { database } = shop;
    for (let round = 0; round < 6; round += 1) {
      const owner = await insertTestMember(database, { isConfirmed: true });
      const made = await shop.ask('account.create', { input: { name: 'Duo' }, token: owner.token });
      const { id } = made.data as { id: number };
      const guest = await insertTestMember(database, { isConfirmed: true });
      const asOwner = { token: owner.token, accountId: id };
      await shop.ask('invitation.create', { ...asOwner, input: { email: guest.email, roleType: 5 } });
      const rows = await database.select().from(database.tables.invitations);
      const invitationId = rows.find((row) => row.accountId === id)?.id;
      const [removed, joined] = await Promise.all([
        staff('/deleteUser', { userId: owner.id }),
        shop.ask('invitation.accept', { input: { invitationId }, token: guest.token }),
      ]);
      const account = (await database.select().from(database.tables.accounts)).find((row) => row.id === id);
      expect(account?.isDeleted).toBe(removed.status === 200);
      if (removed.status !== 200) expect([removed.code, joined.status]).toEqual(['sole_owner', 200]);
    }
  });

  it('ends no subscription if the member no longer exists or is the last administrator', async () => {
    await using world = await start();
    const { shop, staff, payer } = world;
    const { database } = shop;
    const { members } = database.tables;
    await shop.visit(world.url, { action: 'pay' });
    const isStillPaid = async (answer: ReturnType<typeof staff>, refusal: object) => {
      expect(await answer).toMatchObject(refusal);
      await shop.settle();
      expect(await world.standing()).toBe('active');
      expect(await world.account()).toMatchObject({ isDeleted: false });
    };
    const everybody = (await database.select().from(members)).map(({ id }) => id);
    const body = { userId: payer.id, closeAccounts: true };
    const asStaff = { isPersonnel: true, roleType: 0 };
    await changeAccess(database, { members: everybody }, async (tx) => {
      await tx.write(tx.update(members).set({ isPersonnel: false }));
      await setMemberRole(unsettled(tx), {
        memberId: payer.id,
        role: 'Admin',
        nowMs: Date.now(),
        ...asStaff,
      });
    });
    await isStillPaid(staff('/deleteUser', body, payer.token), { status: 409, code: 'last_administrator' });

    // A deletion by hand leaves the accounts of the member open.
    await changeAccess(database, { members: everybody }, async (tx) => {
      await tx.write(tx.update(members).set(asStaff));
      await removeMember(tx, { memberId: payer.id, nowMs: Date.now() });
    });
    await isStillPaid(staff('/deleteUser', body), { status: 404, code: 'not_found' });
  });
});
