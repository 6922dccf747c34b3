import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { createAuthenticator, type TestMember, type TestMemberOptions } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { FactorWorld } from '../../test/factor-world.js';
import { addPasskey, startPasskeyWorld, usePasskey } from '../../test/passkey-world.js';
import { openRecovery, outcomesOf, passWait, ROOT, signInRoot, ticketOf } from '../../test/recovery-world.js';

const ORIGIN = 'http://localhost:4000';
const ACCOUNT = 1;
const MINUTE_MS = 60_000;
const newDevice = () => createAuthenticator({ origin: ORIGIN });

/** Members whose sign-ins take one step, and their factors. */
async function withPasskey(world: FactorWorld, options: TestMemberOptions = {}) {
  const member = await world.member(options);
  const isStaff = options.isPersonnel === true;
  const { passkey } = await addPasskey(world, member, newDevice(), { isStaff });
  return { ...member, passkey };
}

/** The ticket of a recovery that was opened, approved where it has to be, and waited out. */
async function waitedOut(
  world: FactorWorld,
  member: TestMember,
  [opener, other]: readonly [{ token: string }, { token: string }?],
): Promise<string> {
  const { data } = await openRecovery(world, opener.token, member.id);
  if (data['needsApproval'] === true) {
    const { recoveryId } = data;
    const how = { token: other?.token ?? '', on: world.admin };
    expect((await world.call('recovery.approve', { recoveryId }, how)).status).toBe(200);
  }
  await passWait(world);
  const ticket = await ticketOf(world, member.email);
  expect(ticket).toHaveLength(43);
  return ticket;
}

/** The token of a sign-in by password without a second step. */
async function signInPlainly(world: FactorWorld, member: TestMember, on = world.main): Promise<string> {
  const { status, data } = await world.signIn(member, on);
  expect([status, data['level']]).toEqual([200, 1]);
  return String(data['token']);
}

describe('the recovery ticket of a member whose sign-ins take one step', () => {
  it('readmits an administrator who lost their only passkey', async () => {
    await using world = await startPasskeyWorld({ STAFF_ROOT_LEVEL: '3' });
    const [lost, opener, approver] = [
      await withPasskey(world, ROOT),
      await withPasskey(world, ROOT),
      await withPasskey(world, ROOT),
    ];
    const ticket = await waitedOut(world, lost, [opener, approver]);
    const token = await signInPlainly(world, lost, world.admin);
    const on = world.admin;
    expect((await world.call('passkey.addOptions', {}, { token, on })).code).toBe('verification_required');
    const proven = await world.call('verification.prove', { ticket }, { token, on });
    expect([proven.status, proven.data['level']]).toEqual([200, 1]);
    const list = () => world.call('recovery.list', {}, { token, on, query: true });
    expect((await list()).code).toBe('enrolment_required');
    expect((await world.call('factor.switch', { secondFactor: false }, { token, on })).code).toBe(
      'enrolment_required',
    );

    const { passkey } = await addPasskey(world, { ...lost, token }, newDevice());
    expect(await outcomesOf(world)).toEqual(['completed']);
    expect((await list()).status).toBe(200);
    expect((await usePasskey(world, lost.passkey)).code).toBe('passkey_unknown');
    expect((await usePasskey(world, passkey, { on })).data).toMatchObject({ level: 3 });
    const earlier = await world.call('factor.list', {}, { token: lost.token, query: true });
    expect(earlier.status).toBe(401);
  });

  it('readmits a member to an account that requires the passkey they lost', async () => {
    await using world = await startPasskeyWorld();
    const member = await withPasskey(world, { memberships: { [ACCOUNT]: 2 } });
    const policy = { requiredLevel: 3, requiredFromMs: null, requiredUntilThen: 1 };
    await changeAccess(world.db, { accounts: [ACCOUNT] }, (tx) =>
      setAccountPolicy(tx, { accountId: ACCOUNT, nowMs: world.nowMs(), ...policy }),
    );
    const ticket = await waitedOut(world, member, [await signInRoot(world)]);
    const token = await signInPlainly(world, member);
    const reach = () =>
      world.call('member.list', {}, { token, headers: { accountid: String(ACCOUNT) }, query: true });
    expect((await reach()).code).toBe('verification_required');
    expect((await world.call('totp.start', {}, { token })).code).toBe('verification_required');
    expect((await world.call('verification.prove', { ticket }, { token, on: world.other })).status).toBe(200);
    await addPasskey(world, { ...member, token }, newDevice());
    expect((await reach()).status).toBe(200);
  });

  it('requires a recent sign-in, belongs to one member, and is accepted once on two nodes', async () => {
    await using world = await startPasskeyWorld();
    const member = await withPasskey(world);
    const stranger = await withPasskey(world);
    const ticket = await waitedOut(world, member, [await signInRoot(world)]);
    const prove = (token: string, on = world.main) =>
      world.call('verification.prove', { ticket }, { token, on });
    expect((await prove(await signInPlainly(world, stranger))).code).toBe('invalid_credentials');

    const stale = await signInPlainly(world, member);
    world.wait(11 * MINUTE_MS);
    // Neither a stolen token nor a mailed code is a first factor.
    await world.call('verification.sendEmail', {}, { token: stale });
    const emailCode = await world.mailedCode(member.email);
    expect((await world.call('verification.prove', { emailCode }, { token: stale })).status).toBe(200);
    expect((await prove(stale)).code).toBe('verification_required');

    const tokens = [await signInPlainly(world, member), await signInPlainly(world, member)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        prove(tokens[turn % 2] ?? '', turn % 4 < 2 ? world.main : world.other),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'invalid_credentials')).toHaveLength(19);
    const opened = await Promise.all(
      tokens.map((token) => world.call('securityEvent.listMine', {}, { token, query: true })),
    );
    expect(opened.filter(({ code }) => code === 'enrolment_required')).toHaveLength(1);
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('limits a token without a session row to adding a factor', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member({ withSession: false });
    const ticket = await waitedOut(world, member, [await signInRoot(world)]);
    const { token } = member;
    expect((await world.call('verification.prove', { ticket }, { token })).status).toBe(200);
    const events = await world.call('securityEvent.listMine', {}, { token, query: true });
    expect(events.code).toBe('enrolment_required');
    await addPasskey(world, member, newDevice());
    expect(await outcomesOf(world)).toEqual(['completed']);
  });
});
