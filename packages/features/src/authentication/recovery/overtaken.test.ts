import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { recordAudit } from '../../audit/record-audit.js';
import { moveAddress } from '../../registration/move-address.js';
import { type EnrolledMember, type FactorWorld, startFactorWorld } from '../../test/factor-world.js';
import {
  mailsTo,
  openRecovery,
  outcomesOf,
  passWait,
  recovering,
  redeemTicket,
  signInRoot,
  ticketOf,
} from '../../test/recovery-world.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
    if (what === 'staff') await setPersonnelState(unsettled(tx), { memberId, isPersonnel: true, nowMs });
    else await setMembership(tx, { memberId, accountId: 1, roleType: 1, nowMs });
  });

/** Events after which a recovery waits longer, or needs an approval. */
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

describe.each(Object.entries(EVENTS))('a recovery when %s', (_, happen) => {
  it('ends without a ticket, and mails the member', async () => {
    await using world = await startFactorWorld();
    const staff = await signInRoot(world);
    const member = await world.enrolled();
    await openRecovery(world, staff.token, member.id);
    await happen(world, member);
    await passWait(world);
    expect(await ticketOf(world, member.email)).toBe('');
    await requireCanceled(world, member);
  });

  it('has a ticket that is no longer valid', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    await happen(world, member);
    const challenge = await challengeOf(world, member);
    const answer = await world.call('signIn.step', { challenge, ticket: member.ticket });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_credentials']);
    await requireCanceled(world, member);
  });

  it('adds no factor in a session that used its ticket', async () => {
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

it('a node whose clock is behind mails no ticket to a changed address', async () => {
  await using world = await startFactorWorld();
  const { db, main } = world;
  const staff = await signInRoot(world);
  const member = await world.enrolled();
  await openRecovery(world, staff.token, member.id);
  // The wait is passed by moving the opening back by a day.
  const atMs = Date.now() - DAY_MS - HOUR_MS;
  const services = { ...main.services, now: () => atMs };
  const [memberId, email] = [member.id, 'moved@example.com'];
  await changeAccess(db, { members: [memberId] }, async (tx) => {
    const pending = { memberId, email, emailKey: email, awaits: 'new', nowMs: atMs } as const;
    await setPendingAddress(tx, pending);
    await moveAddress(tx, services, { memberId, emailKey: email });
    const act = { actorId: memberId, subjectKind: 'member', subjectId: memberId };
    await recordAudit(tx, { services }, { ...act, atMs, action: 'address.changed' });
  });
  await passWait(world);
  expect(await ticketOf(world, email)).toBe('');
  expect(await outcomesOf(world)).toEqual(['canceled']);
});

it('owners get the ticket of a recovery that waited for one', async () => {
  await using world = await startFactorWorld();
  const staff = await signInRoot(world);
  const member = await world.enrolled({ memberships: { 1: 1 } });
  await openRecovery(world, staff.token, member.id);
  await passWait(world);
  expect(await ticketOf(world, member.email)).toHaveLength(43);
  expect(await outcomesOf(world)).toEqual([null]);
});
