import { eq, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** A partner's name in requests: its number, or the key of its name. */
export type PartnerName = { readonly id: number } | { readonly nameKey: string };

/** True for the partner with this name. */
export function isPartner({ partners }: Tables, name: PartnerName): SQL {
  return 'id' in name ? eq(partners.id, name.id) : eq(partners.nameKey, name.nameKey);
}
