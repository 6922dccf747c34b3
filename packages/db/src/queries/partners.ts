import { and, asc, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';
import { databaseTime, notEarlier } from './database-clock.js';
import { lockRows } from './lock-rows.js';
import { prepareRead } from './prepared.js';
import { recordSessionEnds, type SessionEnd } from './session-events.js';

/** A partner without its secrets. */
export type PartnerRow = Pick<
  Tables['partners']['$inferSelect'],
  'id' | 'name' | 'nameKey' | 'externalId' | 'appUrl' | 'isActive' | 'lastUsedAtMs' | 'createdAtMs'
>;

/** The columns of a `PartnerRow`. */
export function partnerColumns({ partners }: Tables) {
  const { id, name, nameKey, externalId, appUrl, isActive, lastUsedAtMs, createdAtMs } = partners;
  return { id, name, nameKey, externalId, appUrl, isActive, lastUsedAtMs, createdAtMs };
}

/**
 * A partner's name in requests: its number, or the key of its name. With `sent`, the text that was sent, it may also be
 * the id that another system gave the partner.
 */
export type PartnerName = { readonly sent?: string } & (
  | { readonly id: number }
  | { readonly nameKey: string }
);

/** True for the partner with this name. An id that was given to a partner comes before the number or name of another. */
export function isPartner({ partners }: Tables, name: PartnerName): SQL | undefined {
  const { sent } = name;
  const isNamed = 'id' in name ? eq(partners.id, name.id) : eq(partners.nameKey, name.nameKey);
  if (sent === undefined) return isNamed;
  // The inner table hides the outer one.
  const isGiven = sql`exists (select 1 from ${partners} where ${partners.externalId} = ${sent})`;
  return or(eq(partners.externalId, sent), and(isNamed, sql`not ${isGiven}`));
}

/** The partner of this number or name, deactivated ones included. */
export async function findPartner(db: Database, name: PartnerName): Promise<PartnerRow | undefined> {
  const { partners } = db.tables;
  const [row] = await db.select(partnerColumns(db.tables)).from(partners).where(isPartner(db.tables, name));
  return row;
}

/** The keys of the names of partners, by their ids. */
export async function listPartnerKeys(
  db: Pick<Database, 'select' | 'tables'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { partners } = db.tables;
  const rows = await db
    .select({ id: partners.id, nameKey: partners.nameKey })
    .from(partners)
    .where(inArray(partners.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, nameKey }) => [id, nameKey]));
}

/** The state that decides whether a partner's tokens and sessions are valid. */
export interface PartnerState {
  id: number;
  isActive: boolean;
  /** The partner's tokens and sessions are valid only if issued after this, in epoch milliseconds. */
  tokensValidAfterMs: number;
}

const preparedState = prepareRead((db) => {
  const { id, isActive, tokensValidAfterMs } = db.tables.partners;
  return db
    .select({ id, isActive, tokensValidAfterMs })
    .from(db.tables.partners)
    .where(eq(id, sql.placeholder('partnerId')));
});

/** The current state of a partner. */
export async function findPartnerState(db: Database, partnerId: number): Promise<PartnerState | undefined> {
  const [row] = await preparedState(db, { partnerId });
  return row;
}

/** A partner with the public facts about its secrets. */
export interface ListedPartner extends PartnerRow {
  secrets: { id: number; createdAtMs: number; retiresAtMs: number | null; lastUsedAtMs: number | null }[];
}

/** All partners by ascending id, deactivated ones included; `afterId` pages on. */
export async function listPartners(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ListedPartner[]> {
  const { partners, partnerSecrets } = db.tables;
  const rows = await db
    .select(partnerColumns(db.tables))
    .from(partners)
    .where(gt(partners.id, afterId))
    .orderBy(asc(partners.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const { id, partnerId, createdAtMs, retiresAtMs, lastUsedAtMs } = partnerSecrets;
  const secrets = await db
    .select({ id, partnerId, createdAtMs, retiresAtMs, lastUsedAtMs })
    .from(partnerSecrets)
    .where(
      inArray(
        partnerId,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(id));
  return rows.map((row) => ({
    ...row,
    secrets: secrets.flatMap(({ partnerId: owner, ...secret }) => (owner === row.id ? [secret] : [])),
  }));
}

/** Locks a partner, and one of its secrets if given, until the transaction ends. */
export async function lockPartner(tx: Database, name: PartnerName, secretId: number | null): Promise<void> {
  const { partners, partnerSecrets } = tx.tables;
  const where = isPartner(tx.tables, name);
  await lockRows(tx, partners, { column: partners.createdAtMs, where, mode: 'share' });
  if (secretId === null) return;
  await lockRows(tx, partnerSecrets, {
    column: partnerSecrets.createdAtMs,
    where: eq(partnerSecrets.id, secretId),
    mode: 'share',
  });
}

/**
 * Adds a partner without a secret and returns its number.
 *
 * @throws {DuplicateKeyError} when a partner has this name or external id
 */
export async function insertPartner(
  tx: Database,
  partner: { name: string; nameKey: string; externalId?: string | undefined; appUrl: string; nowMs: number },
): Promise<number> {
  const { nowMs, ...row } = partner;
  return tx.insert(tx.tables.partners, { ...row, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/** Changes the address of a partner's front end, or reactivates the partner. False when it does not exist. */
export async function setPartner(
  tx: AccessTransaction,
  change: { partnerId: number; appUrl?: string | undefined; isActive?: true | undefined; nowMs: number },
): Promise<boolean> {
  const { partners } = tx.tables;
  const { partnerId, appUrl, isActive, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        updatedAtMs: nowMs,
        ...(appUrl === undefined ? {} : { appUrl }),
        ...(isActive === undefined ? {} : { isActive }),
      })
      .where(eq(partners.id, partnerId)),
  );
  return rows === 1;
}

/**
 * Deactivates a partner, and ends its tokens and sessions permanently: all that were issued until now, by the clock of the node or of the
 * database, whichever is ahead. False if it was already deactivated.
 */
export async function deactivatePartner(
  tx: AccessTransaction,
  { partnerId, endedById, nowMs }: { partnerId: number } & Omit<SessionEnd, 'reason'>,
): Promise<boolean> {
  const { partners, partnerMembers, sessions } = tx.tables;
  const isLinked = inArray(
    sessions.memberId,
    tx
      .select({ memberId: partnerMembers.memberId })
      .from(partnerMembers)
      .where(eq(partnerMembers.partnerId, partnerId)),
  );
  const isEnding = and(isLinked, eq(sessions.partnerId, partnerId));
  const isDeactivated = eq(partners.id, partnerId);
  await lockRows(tx, partners, { column: partners.createdAtMs, where: isDeactivated, mode: 'exclusive' });
  await recordSessionEnds(tx, isEnding, { reason: 'partner_ended', endedById, nowMs }, { isMarked: true });
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        isActive: false,
        tokensValidAfterMs: notEarlier(tx, partners.tokensValidAfterMs, nowMs, databaseTime(tx)),
        tokenDigest: null,
        tokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(partners.id, partnerId), eq(partners.isActive, true))),
  );
  return rows === 1;
}

/**
 * Records that a partner is active, and its newest token if it got one. False when the partner is deactivated:
 * the caller must then stop.
 */
export async function recordPartnerUse(
  tx: Database,
  {
    partnerId,
    nowMs,
    token,
  }: {
    partnerId: number;
    nowMs: number;
    token?: { digest: string; expiresAtMs: number };
  },
): Promise<boolean> {
  const { partners } = tx.tables;
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        lastUsedAtMs: nowMs,
        ...(token === undefined ? {} : { tokenDigest: token.digest, tokenExpiresAtMs: token.expiresAtMs }),
      })
      .where(and(eq(partners.id, partnerId), eq(partners.isActive, true))),
  );
  return rows === 1;
}

/** The outcome: `unchanged` when it was already so, `refused` when it is not allowed. */
export type AccountPartnerOutcome = 'marked' | 'unchanged' | 'refused';

/**
 * Records that a partner created an account the replaced system did not mark. Refused unless the member owns
 * the account and no other partner created it.
 */
export async function setAccountPartner(
  tx: AccessTransaction,
  mark: { accountId: number; ownerId: number; partnerId: number; nowMs: number },
): Promise<AccountPartnerOutcome> {
  const { accounts } = tx.tables;
  const { accountId, ownerId, partnerId, nowMs } = mark;
  const isOwn = and(eq(accounts.id, accountId), eq(accounts.ownerId, ownerId));
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ createdByPartnerId: partnerId, updatedAtMs: nowMs })
      .where(and(isOwn, isNull(accounts.createdByPartnerId))),
  );
  if (rows === 1) return 'marked';
  const [account] = await tx.select({ partnerId: accounts.createdByPartnerId }).from(accounts).where(isOwn);
  return account?.partnerId === partnerId ? 'unchanged' : 'refused';
}
