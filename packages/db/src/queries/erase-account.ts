import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import { eraseApplications } from './applications.js';
import type { AccessTransaction } from './change-access.js';
import { eraseAccountEvents } from './events.js';
import { eraseMachines } from './machines.js';
import { eraseScimDirectory } from './scim-groups.js';
import { eraseScimTokens } from './scim-tokens.js';

/** A closed account with a past or near erasure date. */
export interface EndingAccount {
  id: number;
  name: string;
  closedAtMs: number;
  erasesAtMs: number;
}

/**
 * Closed accounts that are due for erasure by a moment and whose owners were not notified yet, at most
 * `limit`.
 */
export function listUnnotifiedEndings(
  db: Database,
  page: { byMs: number; limit: number },
): Promise<EndingAccount[]> {
  return listEndings(db, page, isNull(db.tables.accounts.erasureNotifiedAtMs));
}

/** Closed accounts due for erasure, at most `limit`. */
export function listDueEndings(
  db: Database,
  page: { byMs: number; limit: number },
): Promise<EndingAccount[]> {
  return listEndings(db, page, undefined);
}

async function listEndings(
  db: Database,
  { byMs, limit }: { byMs: number; limit: number },
  also: ReturnType<typeof isNull> | undefined,
): Promise<EndingAccount[]> {
  const { accounts } = db.tables;
  const rows = await db
    .select({
      id: accounts.id,
      name: accounts.name,
      erasesAtMs: accounts.erasesAtMs,
      closedAtMs: accounts.deletedAtMs,
    })
    .from(accounts)
    .where(and(isNotNull(accounts.erasesAtMs), lte(accounts.erasesAtMs, byMs), also))
    .orderBy(asc(accounts.erasesAtMs))
    .limit(limit);
  return rows.flatMap(({ id, name, erasesAtMs, closedAtMs }) =>
    erasesAtMs === null ? [] : [{ id, name, erasesAtMs, closedAtMs: closedAtMs ?? erasesAtMs }],
  );
}

/**
 * Records that the owners were notified of the erasure. False if another node does it, or the account is open
 * again.
 */
export async function setErasureNotified(
  tx: Database,
  { id, erasesAtMs, nowMs }: { id: number; erasesAtMs: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const isUnnotified = and(
    eq(accounts.id, id),
    eq(accounts.erasesAtMs, erasesAtMs),
    isNull(accounts.erasureNotifiedAtMs),
  );
  return (await tx.write(tx.update(accounts).set({ erasureNotifiedAtMs: nowMs }).where(isUnnotified))) === 1;
}

/**
 * Erases the content of an account in parts; the last part includes its name.
 * @returns false while there is more
 */
export async function eraseAccount(
  tx: AccessTransaction,
  { accountId, nowMs, limit }: { accountId: number; nowMs: number; limit: number },
): Promise<boolean> {
  const { accounts, conversations, participants, messages, subjects } = tx.tables;
  const { memberships, personnelGrants, customRoles, billingCustomers, invitations } = tx.tables;
  const { billingCheckouts, eventEndpoints, foreignIds } = tx.tables;
  const { ssoConnections, ssoDomains, ssoLogins, ssoRuns, ssoSubjects } = tx.tables;
  const talks = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.accountId, accountId))
    .limit(limit);
  const talkIds = talks.map(({ id }) => id);
  if (talkIds.length > 0) {
    if (
      (await removeSome(tx, messages, {
        where: inArray(messages.conversationId, talkIds),
        id: messages.id,
        limit,
      })) === limit
    )
      return false;
    await tx.write(tx.delete(participants).where(inArray(participants.conversationId, talkIds)));
    await tx.write(tx.delete(conversations).where(inArray(conversations.id, talkIds)));
    return false;
  }
  const ofAccount = { where: eq(subjects.accountId, accountId), id: subjects.id, limit };
  if ((await removeSome(tx, subjects, ofAccount)) === limit) return false;
  await tx.write(tx.delete(invitations).where(eq(invitations.accountId, accountId)));
  await tx.write(tx.delete(foreignIds).where(eq(foreignIds.accountId, accountId)));
  await tx.write(tx.delete(eventEndpoints).where(eq(eventEndpoints.accountId, accountId)));
  for (const table of [ssoRuns, ssoLogins, ssoSubjects, ssoConnections, ssoDomains])
    await tx.write(tx.delete(table).where(eq(table.accountId, accountId)));
  await tx.write(tx.delete(billingCheckouts).where(eq(billingCheckouts.accountId, accountId)));
  await tx.write(tx.delete(billingCustomers).where(eq(billingCustomers.accountId, accountId)));
  const gone = { isDeleted: true, updatedAtMs: nowMs };
  await tx.write(
    tx
      .update(memberships)
      .set({ ...gone, customRoleId: null })
      .where(eq(memberships.accountId, accountId)),
  );
  await tx.write(tx.update(personnelGrants).set(gone).where(eq(personnelGrants.accountId, accountId)));
  await eraseApplications(tx, accountId);
  await eraseMachines(tx, accountId);
  await eraseScimTokens(tx, accountId);
  await eraseScimDirectory(tx, accountId);
  await tx.write(tx.delete(customRoles).where(eq(customRoles.accountId, accountId)));
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ name: '', nameKey: '', erasesAtMs: null, erasedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(accounts.id, accountId), lte(accounts.erasesAtMs, nowMs))),
  );
  if (rows === 1) await eraseAccountEvents(tx, accountId);
  return rows === 1;
}

async function removeSome(
  tx: AccessTransaction,
  table: MySqlTable,
  { where, id, limit }: { where: ReturnType<typeof eq>; id: MySqlColumn; limit: number },
): Promise<number> {
  const rows = await tx.select({ id }).from(table).where(where).limit(limit);
  if (rows.length > 0)
    await tx.write(
      tx.delete(table).where(
        inArray(
          id,
          rows.map((row) => row.id),
        ),
      ),
    );
  return rows.length;
}
