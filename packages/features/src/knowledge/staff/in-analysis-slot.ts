import { AppError } from '@gatehouse/auth-core';
import type { Kit } from '@gatehouse/features/app/kit';

const SLOTS = 2;
const RETRY_AFTER_SECONDS = 10;

const taken = new WeakMap<Kit, number>();

/**
 * Does the work of one analysis, of which a node runs two at once.
 * @throws {AppError} `unavailable` when both slots are taken
 */
export async function inAnalysisSlot<Result>(kit: Kit, work: () => Promise<Result>): Promise<Result> {
  const before = taken.get(kit) ?? 0;
  if (before >= SLOTS) {
    throw new AppError('unavailable', {
      detail: 'all analysis slots are taken',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  taken.set(kit, before + 1);
  try {
    return await work();
  } finally {
    taken.set(kit, (taken.get(kit) ?? 1) - 1);
  }
}
