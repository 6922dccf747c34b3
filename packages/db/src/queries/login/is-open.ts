import { and, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** True for this one-time password while it is unused and unexpired. */
export function isOpen({ oneTimePasswords }: Tables, id: number, nowMs: number): SQL | undefined {
  return and(
    eq(oneTimePasswords.id, id),
    isNull(oneTimePasswords.usedAtMs),
    gt(oneTimePasswords.expiresAtMs, nowMs),
  );
}
