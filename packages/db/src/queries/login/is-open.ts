import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** A one-time password of a holder. */
export interface OneTimePasswordName {
  id: number;
  serial: number;
}

/** True for this one-time password while it is the newest, unused and unexpired. */
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
