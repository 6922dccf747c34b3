import { and, eq, exists, gt, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type PartnerRow, partnerColumns } from './partner-columns.js';
import { isPartner, type PartnerName } from './partner-name.js';

/** What a partner token says of itself. */
export interface PartnerTokenClaim {
  name: PartnerName;
  /** The secret it was got with; null in a token of the replaced system, which does not tell. */
  secretId: number | null;
  issuedAtMs: number;
  nowMs: number;
}

/**
 * The partner a token stands for at this moment: undefined once the partner is deactivated, when it was since the
 * token was issued, and when the secret the token was got with is no longer live.
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
