import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';
import { recoveryTickets } from '../authentication/recovery/recovery-tickets.js';
import { changeColumn } from './change-column.js';
import type { EnrolledMember, FactorAnswer, FactorWorld } from './factor-world.js';

export const REASON = 'The phone fell into the sea';

/** Staff of base role 0. */
export const ROOT = { roleType: 0, isPersonnel: true } as const;

const outbox = z.object({
  data: z.array(z.object({ to: z.string(), kind: z.string(), subject: z.string(), text: z.string() })),
});

/** The mails to an address, newest first. */
export async function mailsTo(world: FactorWorld, to: string, kind = 'recovery') {
  const { data } = outbox.parse(await (await world.main.send('/dev/outbox')).json());
  return data.filter((mail) => mail.to === to && mail.kind === kind);
}

/** The token of a session of base role 0 at the admin service. */
export async function signInRoot(world: FactorWorld): Promise<{ id: number; token: string }> {
  const member = await world.member(ROOT);
  const { data } = await world.signIn(member, world.admin);
  return { id: member.id, token: String(data['token']) };
}

export function openRecovery(world: FactorWorld, token: string, memberId: number): Promise<FactorAnswer> {
  return world.call('recovery.open', { memberId, reason: REASON }, { token, on: world.admin });
}

/** Lets the wait of the open recoveries pass, and runs the job on both nodes at once. */
export async function passWait({ db, main, other }: FactorWorld): Promise<void> {
  const { recoveries } = db.tables;
  const overAtMs = Date.now() - 1_000;
  for (const { id, openedAtMs, effectiveAtMs, endedAtMs } of await db.select().from(recoveries)) {
    if (endedAtMs !== null || effectiveAtMs <= overAtMs) continue;
    const begunAtMs = openedAtMs - effectiveAtMs + overAtMs;
    await changeColumn(db, { table: 'recoveries', column: 'opened_at_ms', id }, begunAtMs);
    await changeColumn(db, { table: 'recoveries', column: 'effective_at_ms', id }, overAtMs);
  }
  await Promise.all([main, other].map(({ services }) => recoveryTickets.run(services)));
}

/** The ticket in the newest mail to an address; empty if there is none. */
export async function ticketOf(world: FactorWorld, email: string): Promise<string> {
  const mails = await mailsTo(world, email, 'recoveryTicket');
  return /^ {4}([\w-]{43})$/m.exec(mails[0]?.text ?? '')?.[1] ?? '';
}

/** A member whose recovery has been waited out. */
export type RecoveringMember = EnrolledMember & { readonly ticket: string };

/** A member with an authenticator app whose recovery has been waited out, and its ticket. */
export async function recovering(world: FactorWorld): Promise<RecoveringMember> {
  const staff = await signInRoot(world);
  const member = await world.enrolled();
  await openRecovery(world, staff.token, member.id);
  await passWait(world);
  return { ...member, ticket: await ticketOf(world, member.email) };
}

/** The token of a session that the ticket began, in place of a second step. */
export async function redeemTicket(
  world: FactorWorld,
  member: RecoveringMember,
  on: RunningService = world.main,
): Promise<string> {
  const { challenge } = await world.signIn(member, on);
  const answer = await world.call('signIn.step', { challenge, ticket: member.ticket }, { on });
  if (answer.status !== 200) throw new Error(`not redeemed: ${JSON.stringify(answer.body)}`);
  return String(answer.data['token']);
}

/** How the recoveries ended, from the first; null for those that are open. */
export async function outcomesOf({ db }: FactorWorld): Promise<(string | null)[]> {
  return (await db.select().from(db.tables.recoveries)).map(({ outcome }) => outcome);
}
