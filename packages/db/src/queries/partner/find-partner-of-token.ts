import { and, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type PartnerRow, partnerColumns } from './partner-columns.js';
import { isPartner, type PartnerName } from './partner-name.js';

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
