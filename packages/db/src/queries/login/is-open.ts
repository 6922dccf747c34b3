import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** One of the one-time passwords a holder has had. */
export interface OneTimePasswordName {
  id: number;
  serial: number;
}

/** True of this one-time password while it is the newest, unused and unexpired. */
export function isOpen(
  { oneTimePasswords }: Tables,
  { id, serial }: OneTimePasswordName,
  nowMs: number,
): SQL | undefined {
  return and(
    eq(oneTimePasswords.id, id),
    eq(oneTimePasswords.serial, serial),
    isNull(oneTimePasswords.usedAtMs),
    gt(oneTimePasswords.expiresAtMs, nowMs),
  );
}
