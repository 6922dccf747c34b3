import { expect, it } from 'vitest';
import { type FactorWorld, startFactorWorld } from '../../test/factor-world.js';
import { openRecovery, passWait, redeemTicket, signInRoot, ticketOf } from '../../test/recovery-world.js';

interface Link {
  readonly fact: string;
  readonly value: unknown;
  readonly effect: string;
}

it("an open recovery is shown on the member's page, and in the explanation of access", async () => {
  await using world = await startFactorWorld();
  const [opener, approver] = [await signInRoot(world), await signInRoot(world)];
  const member = await world.enrolled();
  const ask = async (name: string, more: object = {}) => {
    const how = { token: opener.token, on: world.admin };
    const { status, data } = await world.call(name, { memberId: member.id, ...more }, how);
    expect([name, status]).toEqual([name, 200]);
    return data;
  };
  const onPage = async () => (await ask('member.page'))['recovery'];
  const chainOf = async (more: object = {}) => (await ask('access.explain', more))['chain'] as Link[];
  const explained = async () => (await chainOf()).filter(({ fact }) => fact === 'recovery');
  const shown = (state: string) => [{ fact: 'recovery', value: state, effect: 'none' }];
  expect([await onPage(), await explained()]).toEqual([null, []]);

  const { data } = await openRecovery(world, opener.token, member.id);
  const { recoveryId: id, effectiveAt } = data;
  expect(await onPage()).toEqual({
    id,
    state: 'waiting',
    openedAt: expect.any(String),
    openedById: opener.id,
    effectiveAt,
    needsApproval: false,
    approvedAt: null,
    approvedById: null,
    ticketExpiresAt: null,
  });
  expect(await explained()).toEqual(shown('waiting'));

  await world.call('recovery.cancelMine', {}, { token: member.token });
  expect([await onPage(), await explained()]).toEqual([null, []]);
  const again = await openRecovery(world, opener.token, member.id);
  expect(await onPage()).toMatchObject({ state: 'unapproved', needsApproval: true });
  const approval = { recoveryId: again.data['recoveryId'] };
  await world.call('recovery.approve', approval, { token: approver.token, on: world.admin });
  const approved = { approvedById: approver.id, approvedAt: expect.any(String) };
  expect(await onPage()).toMatchObject({ state: 'waiting', ...approved });

  await passWait(world);
  expect(await onPage()).toMatchObject({ state: 'ticketMailed', ticketExpiresAt: expect.any(String) });
  const ticket = await ticketOf(world, member.email);
  const token = await redeemTicket(world, { ...member, ticket });
  expect(await onPage()).toMatchObject({ state: 'ticketUsed' });
  const inSession = await chainOf({ sessionId: await sessionIdOf(world, member.id) });
  expect(inSession).toEqual(expect.arrayContaining(shown('ticketUsed')));
  expect(inSession.at(-1)).toEqual({ fact: 'level', value: 'enrolment only', effect: 'denies' });

  await world.enrol({ ...member, token });
  expect([await onPage(), await explained()]).toEqual([null, []]);
});

async function sessionIdOf({ db }: FactorWorld, memberId: number): Promise<number> {
  const rows = await db.select().from(db.tables.sessions);
  return rows.findLast((row) => row.memberId === memberId)?.id ?? 0;
}
