import type { ListedPartner } from '@gatehouse/db';
import { z } from 'zod';

/** A partner as administrators see it. The secrets themselves are not included. */
export const partnerView = z.object({
  id: z.int(),
  name: z.string(),
  /** The id that another system gave the partner. */
  externalId: z.string().nullable(),
  appUrl: z.string(),
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  secrets: z.array(
    z.object({
      id: z.int(),
      createdAt: z.iso.datetime(),
      retiresAt: z.iso.datetime().nullable(),
      lastUsedAt: z.iso.datetime().nullable(),
    }),
  ),
});

export function toPartnerView(row: ListedPartner): z.output<typeof partnerView> {
  return {
    id: row.id,
    name: row.name,
    externalId: row.externalId,
    appUrl: row.appUrl,
    active: row.isActive,
    createdAt: dateOf(row.createdAtMs),
    lastUsedAt: maybeDateOf(row.lastUsedAtMs),
    secrets: row.secrets.map((secret) => ({
      id: secret.id,
      createdAt: dateOf(secret.createdAtMs),
      retiresAt: maybeDateOf(secret.retiresAtMs),
      lastUsedAt: maybeDateOf(secret.lastUsedAtMs),
    })),
  };
}

function dateOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

function maybeDateOf(atMs: number | null): string | null {
  return atMs === null ? null : dateOf(atMs);
}
