import { AppError, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { consumeEnrolmentTicket, findEnrolmentTicket } from '@gatehouse/db/queries/enrolment-tickets';
import type { MemberFactors } from '@gatehouse/db/queries/member-factors';
import type { z } from 'zod';
import type { Context, Services } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import { sessionKey } from '../../core/guard/caller.js';
import { checkCode } from './check-code.js';
import type { enrolmentProof } from './factor-codes.js';
import { factorsIn } from './step-methods.js';

/**
 * Whether the first factor of a member needs a proof of their mailbox: for staff, and while nobody has proved an address together
 * with a credential. Otherwise a person who registers another's address could lock out its owner.
 */
function needsProof({ isPersonnel, email, ownerProvenAtMs }: MemberFactors): boolean {
  return isPersonnel || (email !== null && ownerProvenAtMs === null);
}

/** Whether a call that adds or switches on a second factor has to send a proof. The ticket of a recovery is one already. */
export function asksProof(
  services: Pick<Services, 'relyingParty'>,
  factors: MemberFactors,
  { recoveryId }: Pick<Caller['session'], 'recoveryId'>,
): boolean {
  return recoveryId === undefined && hasNoFactor(services, factors) && needsProof(factors);
}

/** Whether a member has neither authenticator app nor passkey. */
export function hasNoFactor(services: Pick<Services, 'relyingParty'>, factors: MemberFactors): boolean {
  return !factorsIn(services, factors).hasStronger;
}

/** A right proof that is not consumed yet. */
interface EnrolmentProof {
  /** Uses the proof up, in the transaction that adds the factor. False when another call was first. */
  consume(tx: Database, nowMs: number): Promise<boolean>;
  /** Whether it shows that the address is the member's. */
  readonly provesAddress: boolean;
}

/**
 * The proof sent along with an enrolment, to be consumed with it; undefined if none was sent.
 * @throws {AppError} `proof_required` if it is wrong, `rate_limited`
 */
export async function checkEnrolmentProof(
  ctx: Context & { readonly caller: Caller },
  proof: z.output<typeof enrolmentProof> | undefined,
): Promise<EnrolmentProof | undefined> {
  if (proof === undefined) return undefined;
  const { memberId, session } = ctx.caller;
  if ('ticket' in proof) return checkEnrolmentTicket(ctx, memberId, proof.ticket);
  const sent = { emailCode: proof.emailCode };
  const checked = await checkCode(ctx, memberId, sent, sessionKey(session), 'factor.setup');
  if (checked === undefined) throw new AppError('proof_required');
  await checked.attempt.succeed();
  return { consume: (tx, nowMs) => checked.proof.consume(tx, nowMs), provesAddress: true };
}

/**
 * Uses up the proof that came with a factor, in the transaction that adds it.
 * @throws {AppError} `proof_required` if there is none where it is needed, or it was used meanwhile
 */
export async function applyEnrolmentProof(
  tx: AccessTransaction,
  { services, caller }: Context & { readonly caller: Caller },
  { before, proof, nowMs }: { before: MemberFactors; proof: EnrolmentProof | undefined; nowMs: number },
): Promise<void> {
  const { memberId, session } = caller;
  if (proof === undefined) {
    if (asksProof(services, before, session)) throw new AppError('proof_required');
    return;
  }
  if (!(await proof.consume(tx, nowMs))) throw new AppError('proof_required');
  if (proof.provesAddress) await proveOwner(tx, { memberId, expectedPassword: undefined, nowMs });
}

async function checkEnrolmentTicket(
  { services }: Context,
  memberId: number,
  ticket: string,
): Promise<EnrolmentProof> {
  const ticketKey = sha256Hex(ticket);
  const found = await findEnrolmentTicket(services.db, { ticketKey, nowMs: services.now() });
  if (found?.memberId !== memberId) throw new AppError('proof_required');
  return {
    consume: (tx, nowMs) => consumeEnrolmentTicket(tx, { ticketKey, memberId, nowMs }),
    provesAddress: false,
  };
}
