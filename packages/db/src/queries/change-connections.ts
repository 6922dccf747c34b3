import { and, count, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { TokenStatus } from '../tables/social-tables.js';
import { isActiveMember } from './member-columns.js';

/** A provider's profile and tokens as stored. The caller has encrypted both tokens. */
export interface ConnectionContent {
  email: string | null;
  displayName: string | null;
  accessToken: string;
  /** Null keeps the stored one: most providers send a refresh token only once. */
  refreshToken: string | null;
  tokenStatus: TokenStatus;
  scopes: string | null;
  fbAccounts: unknown;
  igAccounts: unknown;
  lnAccounts: unknown;
  twtAccounts: unknown;
  detail: unknown;
  expiresAtMs: number | null;
  renewDueAtMs: number | null;
}

/**
 * Locks a member who is neither deleted nor archived until the transaction ends, so that nobody deletes them while their tokens
 * are written. False if they are deleted or archived, or if all their sessions ended since `sessionEpoch` was read.
 */
export async function lockActiveMember(
  tx: Database,
  { memberId, sessionEpoch, nowMs }: { memberId: number; sessionEpoch?: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          sessionEpoch === undefined ? undefined : eq(members.sessionEpoch, sessionEpoch),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}

/**
 * Locks the member that a person with this address may sign in as, until the transaction ends: live, not
 * staff, with that address confirmed. False if any of this does not hold.
 */
export async function lockJoinableMember(
  tx: Database,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.emailKey, emailKey),
          isNotNull(members.emailConfirmedAtMs),
          eq(members.isPersonnel, false),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}

/**
 * Connects a provider identity to a member.
 * @throws {DuplicateKeyError} if the identity is already connected to any member
 */
export async function insertConnection(
  tx: Database,
  connection: ConnectionContent & {
    memberId: number;
    providerId: number;
    providerUserId: string;
    nowMs: number;
  },
): Promise<number> {
  const { nowMs, ...row } = connection;
  return tx.insert(tx.tables.socialConnections, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/**
 * Stores a provider's newest profile and tokens. False when the connection is gone or another member's. A
 * running renewal loses its lease, so it cannot overwrite them with older tokens.
 */
export async function setConnectionContent(
  tx: Database,
  { id, memberId }: { id: number; memberId: number },
  { nowMs, refreshToken, ...content }: ConnectionContent & { nowMs: number },
): Promise<boolean> {
  const { socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(socialConnections)
      .set({
        ...content,
        ...(refreshToken === null ? {} : { refreshToken }),
        renewAttempts: 0,
        leaseToken: null,
        leaseUntilMs: null,
        lastError: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(socialConnections.id, id), eq(socialConnections.memberId, memberId))),
  );
  return rows === 1;
}

/**
 * Removes a connection of a locked member. `needsAnother` keeps the last one of a member with no other way to
 * sign in.
 * @returns `last` when it was kept, `absent` when the member has no such connection
 */
export async function removeConnection(
  tx: Database,
  { id, memberId, needsAnother }: { id: number; memberId: number; needsAnother: boolean },
): Promise<'removed' | 'absent' | 'last'> {
  const { socialConnections } = tx.tables;
  const own = eq(socialConnections.memberId, memberId);
  const [mine] = await tx
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(and(eq(socialConnections.id, id), own));
  if (mine === undefined) return 'absent';
  if (needsAnother) {
    const [all] = await tx.select({ count: count() }).from(socialConnections).where(own);
    if ((all?.count ?? 0) <= 1) return 'last';
  }
  const rows = await tx.write(tx.delete(socialConnections).where(and(eq(socialConnections.id, id), own)));
  return rows === 1 ? 'removed' : 'absent';
}
