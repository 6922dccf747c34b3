import { and, asc, desc, eq, exists, gt, isNull, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { isPartner, type PartnerName, type PartnerRow, partnerColumns } from './partners.js';

/** A partner with its live secrets, oldest first. */
export interface PartnerCredential extends PartnerRow {
  secrets: { id: number; sealed: string }[];
}

/** The partner with this number or name, and its secrets live at `nowMs`, in one read. */
export async function findPartnerCredential(
  db: Database,
  name: PartnerName,
  nowMs: number,
): Promise<PartnerCredential | undefined> {
  const { partners, partnerSecrets } = db.tables;
  const isLive = or(isNull(partnerSecrets.retiresAtMs), gt(partnerSecrets.retiresAtMs, nowMs));
  const rows = await db
    .select({
      partner: partnerColumns(db.tables),
      secretId: partnerSecrets.id,
      sealed: partnerSecrets.secret,
    })
    .from(partners)
    .leftJoin(partnerSecrets, and(eq(partnerSecrets.partnerId, partners.id), isLive))
    .where(isPartner(db.tables, name))
    .orderBy(asc(partnerSecrets.id));
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    ...first.partner,
    secrets: rows.flatMap(({ secretId, sealed }) =>
      secretId === null || sealed === null ? [] : [{ id: secretId, sealed }],
    ),
  };
}

/** The claims of a partner token. */
export interface PartnerTokenClaim {
  name: PartnerName;
  /** The secret used to get the token; null in a token of the replaced system. */
  secretId: number | null;
  issuedAtMs: number;
  nowMs: number;
}

/**
 * The current partner of a token. Undefined if the partner is, or has since been, deactivated, or if the
 * token's secret is no longer live.
 */
export async function findPartnerOfToken(
  db: Database,
  { name, secretId, issuedAtMs, nowMs }: PartnerTokenClaim,
): Promise<PartnerRow | undefined> {
  const { partners, partnerSecrets } = db.tables;
  const secretIsLive =
    secretId === null
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(partnerSecrets)
            .where(
              and(
                eq(partnerSecrets.id, secretId),
                eq(partnerSecrets.partnerId, partners.id),
                or(isNull(partnerSecrets.retiresAtMs), gt(partnerSecrets.retiresAtMs, nowMs)),
              ),
            ),
        );
  const [row] = await db
    .select(partnerColumns(db.tables))
    .from(partners)
    .where(
      and(
        isPartner(db.tables, name),
        eq(partners.isActive, true),
        sql`${partners.tokensValidAfterMs} < ${issuedAtMs}`,
        secretIsLive,
      ),
    );
  return row;
}

/** A partner's newest secret that is live at `nowMs`, and when it retires, if ever. */
export async function findNewestPartnerSecret(
  db: Database,
  partnerId: number,
  nowMs: number,
): Promise<{ id: number; retiresAtMs: number | null } | undefined> {
  const { partnerSecrets } = db.tables;
  const { id, retiresAtMs } = partnerSecrets;
  const [row] = await db
    .select({ id, retiresAtMs })
    .from(partnerSecrets)
    .where(and(eq(partnerSecrets.partnerId, partnerId), or(isNull(retiresAtMs), gt(retiresAtMs, nowMs))))
    .orderBy(desc(id))
    .limit(1);
  return row;
}

/** Adds an already encrypted secret, live from now on. Returns its number. */
export async function insertPartnerSecret(
  tx: Database,
  { partnerId, sealed, nowMs }: { partnerId: number; sealed: string; nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.partnerSecrets, { partnerId, secret: sealed, createdAtMs: nowMs });
}

/** Sets when a secret retires, records its use, or replaces its ciphertext after a key rotation. */
export async function setPartnerSecret(
  tx: Database,
  {
    secretId,
    sealed,
    ...change
  }: {
    secretId: number;
    retiresAtMs?: number;
    lastUsedAtMs?: number;
    sealed?: string;
  },
): Promise<boolean> {
  const { partnerSecrets } = tx.tables;
  const rows = await tx.write(
    tx
      .update(partnerSecrets)
      .set({ ...change, ...(sealed === undefined ? {} : { secret: sealed }) })
      .where(eq(partnerSecrets.id, secretId)),
  );
  return rows === 1;
}

/** Removes a partner's secrets except the one to keep, if any. Returns how many were removed. */
export async function removePartnerSecrets(
  tx: Database,
  { partnerId, exceptId }: { partnerId: number; exceptId?: number | undefined },
): Promise<number> {
  const { partnerSecrets } = tx.tables;
  const others = exceptId === undefined ? undefined : ne(partnerSecrets.id, exceptId);
  return tx.write(tx.delete(partnerSecrets).where(and(eq(partnerSecrets.partnerId, partnerId), others)));
}
