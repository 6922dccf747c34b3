import type { RunHashJob } from './hash-job.js';

/** A password hash of another system, read from its text: the key that is stored, and how a password becomes one. */
export interface ForeignKey {
  readonly expected: Buffer;
  /** How long a slow machine takes to derive it, about twice as long as most. */
  readonly costMs: number;
  /** Derives a key of the same length from a password, never on the main thread. */
  readonly derive: (plain: string, run: RunHashJob) => Promise<Buffer>;
}

/** How long a slow machine takes to begin on the thread pool, while other passwords are hashed. */
export const THREAD_MS = 20;
