import { availableParallelism } from 'node:os';
import type { Config } from '../core/config.js';

/**
 * How many passwords are hashed at once, unless PASSWORD_HASH_CONCURRENCY says it: one on each core, as long as a thread of libuv
 * is left for files and names. While a commit is flushed, which the embedded database does on the main thread, one more hash
 * keeps the last of few cores busy.
 */
export function hashesAtOnce(
  config: Pick<Config, 'PASSWORD_HASH_CONCURRENCY' | 'UV_THREADPOOL_SIZE'>,
  cores = availableParallelism(),
): number {
  const wanted = cores < 3 ? cores + 1 : cores;
  return config.PASSWORD_HASH_CONCURRENCY ?? Math.max(1, Math.min(wanted, config.UV_THREADPOOL_SIZE - 1));
}
