import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

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
