import type { SessionRow } from '@gatehouse/db';
import { z } from 'zod';
import { readAmr } from '../../core/app/authentication.js';
import type { CallerSession } from '../../core/app/caller.js';

/** A session as its owner, or staff, sees it. */
export const sessionRowView = z.object({
  /** The number of the session, which stays when its token is refreshed. */
  id: z.int(),
  kind: z.enum(['session', 'bearer']),
  /** The User-Agent that signed in. */
  device: z.string(),
  /** The name the member gave it. */
  deviceName: z.string().nullable(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  /** True to the minute. */
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Whether this is the session of the call itself. */
  isCurrent: z.boolean(),
  /** How it was authenticated; empty for sessions of an earlier release. */
  methods: z.array(z.string()),
  /** The highest level reached in it. */
  level: z.int(),
  /** When the member signed in; null for sessions of an earlier release. */
  authTime: z.iso.datetime().nullable(),
});

export function toSessionRowView(
  row: SessionRow,
  { tokenKey, familyId }: Pick<CallerSession, 'tokenKey' | 'familyId'>,
): z.output<typeof sessionRowView> {
  return {
    id: row.id,
    kind: row.kind,
    device: row.device,
    deviceName: row.deviceName,
    address: row.address,
    createdAt: new Date(row.createdAtMs).toISOString(),
    lastSeenAt: new Date(row.lastSeenAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
    isCurrent: row.tokenKey === tokenKey || row.id === familyId,
    methods: readAmr(row.amr),
    level: row.level,
    authTime: row.authTimeMs === null ? null : new Date(row.authTimeMs).toISOString(),
  };
}
