import type { Config } from '../../core/config.js';

const DAY_MS = 86_400_000;

/** The earliest deletion by staff that staff can undo. */
export function restorableSince(
  { MEMBER_GRACE_DAYS }: Pick<Config, 'MEMBER_GRACE_DAYS'>,
  nowMs: number,
): number {
  return nowMs - MEMBER_GRACE_DAYS * DAY_MS;
}
