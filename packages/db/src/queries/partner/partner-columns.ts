import type { Tables } from '../../tables/define-tables.js';

/** A partner without its secrets. */
export interface PartnerRow {
  id: number;
  name: string;
  nameKey: string;
  externalId: string | null;
  appUrl: string;
  isActive: boolean;
  lastUsedAtMs: number | null;
  createdAtMs: number;
}

/** The columns of a `PartnerRow`. */
export function partnerColumns({ partners }: Tables) {
  const { id, name, nameKey, externalId, appUrl, isActive, lastUsedAtMs, createdAtMs } = partners;
  return { id, name, nameKey, externalId, appUrl, isActive, lastUsedAtMs, createdAtMs };
}
