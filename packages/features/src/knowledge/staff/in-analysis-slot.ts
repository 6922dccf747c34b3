import { AppError } from '@gatehouse/auth-core';
import type { Services } from '../../app/services.js';

const SLOTS = 2;
const RETRY_AFTER_SECONDS = 10;

const taken = new WeakMap<Services, number>();

/**
 * Runs one analysis; a node runs at most two at once.
 * @throws {AppError} `unavailable` if both slots are taken
 */
export async function inAnalysisSlot<Result>(
  services: Services,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = taken.get(services) ?? 0;
  if (before >= SLOTS) {
    throw new AppError('unavailable', {
      detail: 'all analysis slots are taken',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  taken.set(services, before + 1);
  try {
    return await work();
  } finally {
    taken.set(services, (taken.get(services) ?? 1) - 1);
  }
}
