import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { PendingAwaits } from '../../tables/members.js';
import { banEnd } from '../access/ban-columns.js';

/** A member's mail address, with the fields that a proof of the address is checked against. */
export interface MemberAddress {
  id: number;
  username: string;
  email: string | null;
  emailKey: string | null;
  emailConfirmedAtMs: number | null;
  /** When the owner of the address was proven. See `isProven`. */
  ownerProvenAtMs: number | null;
  pendingEmail: string | null;
  pendingEmailKey: string | null;
  pendingAwaits: PendingAwaits | null;
  pendingSinceMs: number | null;
  /** When an agreement of the old mailbox without a proof counts. */
  pendingEffectiveAtMs: number | null;
  /** Null for a password that was never changed. */
  passwordChangedAtMs: number | null;
  /** False while nobody knows the stored password. */
  hasPassword: boolean;
  /** When their ban ends or ended; 0 without a ban. See `isBanned`. */
  bannedUntilMs: number;
  isDeleted: boolean;
}

/** The current and the pending address of a member, deleted ones included. */
export async function findMemberAddress(db: Database, memberId: number): Promise<MemberAddress | undefined> {
  const { members } = db.tables;
  const { id, username, email, emailKey, emailConfirmedAtMs, ownerProvenAtMs } = members;
  const { pendingEmail, pendingEmailKey, pendingAwaits, pendingSinceMs, pendingEffectiveAtMs } = members;
  const { passwordChangedAtMs, hasPassword, isDeleted } = members;
  const [row] = await db
    .select({
      id,
      username,
      email,
      emailKey,
      emailConfirmedAtMs,
      ownerProvenAtMs,
      pendingEmail,
      pendingEmailKey,
      pendingAwaits,
      pendingSinceMs,
      pendingEffectiveAtMs,
      passwordChangedAtMs,
      hasPassword,
      bannedUntilMs: banEnd(db.tables),
      isDeleted,
    })
    .from(members)
    .where(eq(members.id, memberId));
  return row;
}
