import { and, eq, gt, isNotNull, isNull, lte, max, type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core';
import type { Database, WriteStatement } from '../database.js';
import { databaseInstant, databaseTime, notEarlier } from './database-clock.js';
import { findFeedEnd } from './events.js';
import { isAnswerable } from './invitations.js';
import { NO_PENDING_ADDRESS } from './member-columns.js';
import { SKIPPED_IDS, skipIds } from './skip-ids.js';

/** What a restore keeps on request. */
export interface RestoreChoice {
  readonly keepsSessions: boolean;
  readonly keepsBackupCodes: boolean;
}

/** How much was ended. */
export interface SettledRestore {
  readonly members: number;
  readonly partners: number;
  readonly backupCodes: number;
  readonly invitations: number;
  readonly recoveries: number;
  readonly mails: number;
}

const IDS_AT_ONCE = 10_000;

const TOTP_STEP_MS = 30_000;

/** The note of a mail that waited in the backup. */
export const MAIL_OF_BEFORE = 'the database was restored: it may have been sent before';

/**
 * Ends, after a restore, what may have been ended, used or sent since the backup: the restored rows do not know it. Safe to run
 * again, also after it was killed. No service may run. On MySQL the user has to be the one who migrates.
 */
export async function settleRestored(
  db: Database,
  { nowMs, keepsSessions, keepsBackupCodes }: RestoreChoice & { nowMs: number },
): Promise<SettledRestore> {
  await skipIds(db);
  await skipEventNumbers(db);
  await endOneTimeThings(db, nowMs);
  const members = await settleMembers(db, { nowMs, keepsSessions });
  const partners = await endPartnerTokens(db, nowMs);
  const backupCodes = keepsBackupCodes ? 0 : await spendBackupCodes(db, nowMs);
  const invitations = await revokeInvitations(db, nowMs);
  const recoveries = await cancelRecoveries(db, nowMs);
  const mails = await giveUpMails(db);
  await beginAccessLog(db);
  return { members, partners, backupCodes, invitations, recoveries, mails };
}

/** Codes, challenges and tickets are short-lived: people who wait for one request another. */
async function endOneTimeThings(db: Database, nowMs: number): Promise<void> {
  const { tables } = db;
  const { socialStates, signInChallenges, mailedCodes, oneTimePasswords, enrolmentTickets } = tables;
  for (const table of [socialStates, signInChallenges, mailedCodes, oneTimePasswords, enrolmentTickets])
    await db.write(db.delete(table));
  const { totpFactors, impersonations } = tables;
  // A code is accepted up to one step ahead.
  const step = Math.floor(nowMs / TOTP_STEP_MS) + 1;
  await inRanges(db, totpFactors, totpFactors.id, (range) =>
    db
      .update(totpFactors)
      .set({
        lastStep: sql`case when ${totpFactors.lastStep} < ${step} then ${step} else ${totpFactors.lastStep} end`,
        pendingSecret: null,
        pendingSinceMs: null,
      })
      .where(range),
  );
  await db.write(db.update(impersonations).set({ endedAtMs: nowMs }).where(isNull(impersonations.endedAtMs)));
}

/** Tokens without a row are those given since the backup, or of the replaced system and perhaps ended since. */
async function settleMembers(
  db: Database,
  { nowMs, keepsSessions }: { nowMs: number; keepsSessions: boolean },
): Promise<number> {
  const { members } = db.tables;
  const ended = {
    sessionEpoch: sql`${members.sessionEpoch} + 1`,
    authTokenDigest: null,
    authTokenExpiresAtMs: null,
  };
  return inRanges(db, members, members.id, (range) =>
    db
      .update(members)
      .set({
        ...NO_PENDING_ADDRESS,
        ...(keepsSessions ? {} : ended),
        tokensValidAfterMs: notEarlier(db, members.tokensValidAfterMs, nowMs),
        factorEpoch: sql`${members.factorEpoch} + 1`,
        impersonationId: null,
      })
      .where(range),
  );
}

/** A partner may have been deactivated since, or the secret of its token rotated out. Sessions that it began end too. */
async function endPartnerTokens(db: Database, nowMs: number): Promise<number> {
  const { partners } = db.tables;
  return db.write(
    db.update(partners).set({
      tokensValidAfterMs: notEarlier(db, partners.tokensValidAfterMs, nowMs),
      tokenDigest: null,
      tokenExpiresAtMs: null,
    }),
  );
}

async function spendBackupCodes(db: Database, nowMs: number): Promise<number> {
  const { backupCodes } = db.tables;
  return inRanges(db, backupCodes, backupCodes.id, (range) =>
    db
      .update(backupCodes)
      .set({ usedAtMs: nowMs })
      .where(and(range, isNull(backupCodes.usedAtMs))),
  );
}

async function revokeInvitations(db: Database, nowMs: number): Promise<number> {
  const { invitations } = db.tables;
  return db.write(
    db
      .update(invitations)
      .set({ status: 'revoked', openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(isAnswerable(db.tables, nowMs)),
  );
}

async function cancelRecoveries(db: Database, nowMs: number): Promise<number> {
  const { recoveries } = db.tables;
  return db.write(
    db
      .update(recoveries)
      .set({ openKey: null, outcome: 'canceled', endedAtMs: nowMs })
      .where(isNotNull(recoveries.openKey)),
  );
}

/** Operators see them as dead, and may try some again. */
async function giveUpMails(db: Database): Promise<number> {
  const { mailOutbox } = db.tables;
  return db.write(
    db
      .update(mailOutbox)
      .set({ state: 'dead', leaseToken: null, leaseUntilMs: null, lastError: MAIL_OF_BEFORE })
      .where(eq(mailOutbox.state, 'pending')),
  );
}

/**
 * Ends, as the last step of an import, every token that was made before: the rows that say which have ended are not exported. No
 * later row gets an id that the old deployment gave after its export. On MySQL the user has to be the one who migrates.
 */
export async function settleImported(db: Database): Promise<void> {
  await skipIds(db);
  const { members, partners } = db.tables;
  await inRanges(db, members, members.id, (range) =>
    db
      .update(members)
      .set({ tokensValidAfterMs: notEarlier(db, members.tokensValidAfterMs, databaseTime(db)) })
      .where(range),
  );
  await db.write(
    db
      .update(partners)
      .set({ tokensValidAfterMs: notEarlier(db, partners.tokensValidAfterMs, databaseTime(db)) }),
  );
  await beginAccessLog(db);
}

/**
 * Makes events continue with places and versions that no reader has seen. Otherwise a reader that goes on from a later cursor
 * would miss as many events as it has read since, and one that compares versions would take the new events for older ones.
 */
async function skipEventNumbers(db: Database): Promise<void> {
  const { accounts, events, eventAudiences, eventDeliveries, eventEndpoints, members } = db.tables;
  for (const table of [members, accounts, eventEndpoints])
    await inRanges(db, table, table.id, (range) =>
      db
        .update(table)
        .set({ eventVersion: sql`${table.eventVersion} + ${SKIPPED_IDS}` })
        .where(range),
    );
  await db.transaction(async (tx) => {
    const last = await findFeedEnd(tx);
    if (last === undefined) return;
    // The newest event moves, because the next one gets the place after it.
    for (const table of [events, eventAudiences, eventDeliveries, eventEndpoints])
      await tx.write(
        tx
          .update(table)
          .set({ position: last + SKIPPED_IDS })
          .where(eq(table.position, last)),
      );
  });
}

/** Begins the log of access changes anew. A node that was not restarted misses the row it read last, and clears its cache. */
async function beginAccessLog(db: Database): Promise<void> {
  const { accessChanges, accessCheckpoints } = db.tables;
  await db.transaction(async (tx) => {
    await tx.write(tx.delete(accessChanges));
    await tx.write(tx.delete(accessCheckpoints));
    const changeId = await tx.insert(accessChanges, { atMs: databaseInstant(tx) });
    await tx.insert(accessCheckpoints, { changeId, atMs: databaseInstant(tx) });
  });
}

/** Runs a statement for each range of ids, so that none locks a large table for long. */
async function inRanges(
  db: Database,
  table: MySqlTable,
  id: MySqlColumn,
  statement: (range: SQL | undefined) => WriteStatement,
): Promise<number> {
  const [newest] = await db.select({ id: max(id) }).from(table);
  const last = Number(newest?.id ?? 0);
  let rows = 0;
  for (let after = 0; after < last; after += IDS_AT_ONCE)
    rows += await db.write(statement(and(gt(id, after), lte(id, after + IDS_AT_ONCE))));
  return rows;
}
