import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';

/** The second factors of a member. */
export interface MemberFactors {
  /** Whether every sign-in takes a second step. */
  secondFactor: boolean;
  /** Whether a mailed code may be that step. */
  emailStep: boolean;
  /** When the authenticator app was confirmed; null without one. */
  totpConfirmedAtMs: number | null;
  backupCodesLeft: number;
  /** The relying parties of the member's passkeys, one entry for each passkey. Suspect ones are left out. */
  passkeyRpIds: readonly string[];
  isPersonnel: boolean;
  email: string | null;
  emailConfirmedAtMs: number | null;
  /** When the address was proved together with the password or a session. */
  ownerProvenAtMs: number | null;
  /** When a sign-in showed that the password is one of those tried first. */
  passwordListedAtMs: number | null;
}

/** A member's second factors; undefined for an unknown member. */
export async function findMemberFactors(db: Database, memberId: number): Promise<MemberFactors | undefined> {
  const { backupCodes, members, passkeys, totpFactors } = db.tables;
  const { secondFactor, emailStep, isPersonnel, email, emailConfirmedAtMs, ownerProvenAtMs } = members;
  const { passwordListedAtMs } = members;
  const mailbox = { email, emailConfirmedAtMs, ownerProvenAtMs, passwordListedAtMs };
  const [member] = await db
    .select({
      secondFactor,
      emailStep,
      isPersonnel,
      ...mailbox,
      totpConfirmedAtMs: totpFactors.confirmedAtMs,
    })
    .from(members)
    .leftJoin(totpFactors, eq(totpFactors.memberId, members.id))
    .where(eq(members.id, memberId));
  if (member === undefined) return undefined;
  const [codes] = await db
    .select({ left: count() })
    .from(backupCodes)
    .where(and(eq(backupCodes.memberId, memberId), isNull(backupCodes.usedAtMs)));
  const usable = await db
    .select({ rpId: passkeys.rpId })
    .from(passkeys)
    .where(and(eq(passkeys.memberId, memberId), isNull(passkeys.suspectAtMs)));
  const passkeyRpIds = usable.map(({ rpId }) => rpId);
  return { backupCodesLeft: codes?.left ?? 0, passkeyRpIds, ...member };
}

/**
 * Records a change of a member's factors: sign-ins begun before it are refused. Every change of a factor ends
 * with this.
 */
export async function setMemberFactors(
  tx: AccessTransaction,
  memberId: number,
  { nowMs, ...switches }: { nowMs: number; secondFactor?: boolean; emailStep?: boolean },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ factorEpoch: sql`${members.factorEpoch} + 1`, updatedAtMs: nowMs, ...switches })
      .where(eq(members.id, memberId)),
  );
}

/**
 * Removes the passkeys, the authenticator app (even one that awaits its first code) and the backup codes of a member whose
 * sign-ins take no second step, or one that a mailed code can be: a reader of the mails needs no backup code. Sign-ins begun
 * earlier are refused.
 * @returns how many passkeys and apps were removed
 */
export async function removeLoneFactors(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<number> {
  const { backupCodes, members, passkeys, totpFactors } = tx.tables;
  const [member] = await tx
    .select({ secondFactor: members.secondFactor })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined || (member.secondFactor && (await hasAppOrPasskey(tx, memberId)))) return 0;
  const removed = await tx.write(tx.delete(passkeys).where(eq(passkeys.memberId, memberId)));
  const apps = await tx.write(tx.delete(totpFactors).where(eq(totpFactors.memberId, memberId)));
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
  await setMemberFactors(tx, memberId, { nowMs });
  return removed + apps;
}

async function hasAppOrPasskey(tx: AccessTransaction, memberId: number): Promise<boolean> {
  const { passkeys, totpFactors } = tx.tables;
  const keys = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.memberId, memberId))
    .limit(1);
  if (keys.length > 0) return true;
  const apps = await tx
    .select({ id: totpFactors.id })
    .from(totpFactors)
    .where(and(eq(totpFactors.memberId, memberId), isNotNull(totpFactors.confirmedAtMs)));
  return apps.length > 0;
}
