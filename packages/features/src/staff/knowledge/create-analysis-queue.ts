import { type BoundedQueue, createBoundedQueue } from '@gatehouse/runtime/queues/create-bounded-queue';

/** A node runs two analyses at once and refuses others. */
export function createAnalysisQueue(): BoundedQueue {
  return createBoundedQueue({
    concurrency: 2,
    queueLimit: 0,
    longestWaitMs: 0,
    fullBecause: 'all analysis slots are taken',
    retryAfterSeconds: 10,
  });
}
