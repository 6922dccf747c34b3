import type { SessionRow } from '@gatehouse/db';
import { z } from 'zod';

/** A session as its owner, or staff, sees it. */
export const sessionRowView = z.object({
  id: z.int(),
  kind: z.enum(['session', 'bearer']),
  /** The User-Agent that signed in. */
  device: z.string(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  /** True to the minute. */
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Whether this is the session of the call itself. */
  isCurrent: z.boolean(),
});

export function toSessionRowView(
  row: SessionRow,
  currentTokenKey: string | undefined,
): z.output<typeof sessionRowView> {
  return {
    id: row.id,
    kind: row.kind,
    device: row.device,
    address: row.address,
    createdAt: new Date(row.createdAtMs).toISOString(),
    lastSeenAt: new Date(row.lastSeenAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
    isCurrent: row.tokenKey === currentTokenKey,
  };
}
