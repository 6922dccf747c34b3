import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../log/log.js';

const LOOK_EVERY_MS = 5_000;
const RESOLUTION_MS = 20;

/**
 * Logs a line when something blocks the event loop, and so every request, for longer than `warnMs`; at most one
 * line per five seconds. The process metrics have the figures.
 */
export function watchEventLoop(log: Pick<Logger, 'notice'>, warnMs: number): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const look = setInterval(() => {
    const longestMs = Math.round(delay.max / 1e6) - RESOLUTION_MS;
    delay.reset();
    if (longestMs > warnMs) log.notice('loop.delayed', { durationMs: longestMs });
  }, LOOK_EVERY_MS);
  look.unref();
}
