import { changeAccess, setMembership, setPersonnelState } from '@gatehouse/db';
import { describe, expect, it } from 'vitest';
import { type EnrolledMember, type FactorWorld, startFactorWorld } from '../test/factor-world.js';
import {
  mailsTo,
  openRecovery,
  outcomesOf,
  passWait,
  recovering,
  redeemTicket,
  signInRoot,
  ticketOf,
} from '../test/recovery-world.js';

const RESET_LINK = /\/reset\?token=([\w.-]+)/;
const NEW_PASSWORD = 'Copper-Meadow-17';

async function resetPassword(world: FactorWorld, { email }: EnrolledMember): Promise<void> {
  await world.main.send('/forgotPassword', { body: { email } });
  const [mail] = await mailsTo(world, email, 'passwordReset');
  const token = RESET_LINK.exec(mail?.text ?? '')?.[1];
  const answer = await world.main.send('/resetPassword', { body: { token, password: NEW_PASSWORD } });
  expect(answer.status).toBe(200);
}

const become = (world: FactorWorld, memberId: number, what: 'staff' | 'owner') =>
  changeAccess(world.db, { members: [memberId], accounts: [1] }, async (tx) => {
    const nowMs = world.nowMs();
    if (what === 'staff') await setPersonnelState(tx, { memberId, isPersonnel: true, nowMs });
    else await setMembership(tx, { memberId, accountId: 1, roleType: 1, nowMs });
  });

/** What makes a recovery one that would wait longer, or be approved. */
const EVENTS: Readonly<Record<string, (world: FactorWorld, member: EnrolledMember) => Promise<unknown>>> = {
  'their password is reset': resetPassword,
  'they become staff': (world, { id }) => become(world, id, 'staff'),
  'they become an owner': (world, { id }) => become(world, id, 'owner'),
};

async function requireCanceled(world: FactorWorld, { email }: EnrolledMember): Promise<void> {
  expect(await outcomesOf(world)).toEqual(['canceled']);
  const [mail] = await mailsTo(world, email);
  expect(mail?.subject).toBe('Your recovery was canceled');
}

/** The challenge of a sign-in with whichever password the member has. */
async function challengeOf(world: FactorWorld, member: EnrolledMember): Promise<string> {
  const { challenge } = await world.signIn(member);
  if (challenge !== '') return challenge;
  const login = { email: member.email, password: NEW_PASSWORD };
  return (await world.call('signIn.password', login)).challenge;
}

describe.each(Object.entries(EVENTS))('the recovery of a member, when %s', (_, happen) => {
  it('ends in no ticket, and the member is told', async () => {
    await using world = await startFactorWorld();
    const staff = await signInRoot(world);
    const member = await world.enrolled();
    await openRecovery(world, staff.token, member.id);
    await happen(world, member);
    await passWait(world);
    expect(await ticketOf(world, member.email)).toBe('');
    await requireCanceled(world, member);
  });

  it('has a ticket that counts no more', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    await happen(world, member);
    const challenge = await challengeOf(world, member);
    const answer = await world.call('signIn.step', { challenge, ticket: member.ticket });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_credentials']);
    await requireCanceled(world, member);
  });

  it('adds no factor in a session that has its ticket', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const token = await redeemTicket(world, member);
    await happen(world, member);
    const added = await world.enrol({ ...member, token }).catch(() => undefined);
    expect(added).toBeUndefined();
    expect((await world.call('totp.start', {}, { token })).status).toBe(401);
    const challenge = await challengeOf(world, member);
    expect((await world.call('signIn.step', { challenge, code: member.code() })).status).toBe(200);
  });
});

it('gives owners the ticket of a recovery that waited for one', async () => {
  await using world = await startFactorWorld();
  const staff = await signInRoot(world);
  const member = await world.enrolled({ memberships: { 1: 1 } });
  await openRecovery(world, staff.token, member.id);
  await passWait(world);
  expect(await ticketOf(world, member.email)).toHaveLength(43);
  expect(await outcomesOf(world)).toEqual([null]);
});
