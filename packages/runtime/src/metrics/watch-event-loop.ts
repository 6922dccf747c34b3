import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../log/log.js';

const LOOK_EVERY_MS = 5_000;
const RESOLUTION_MS = 20;

/**
 * Logs a line when the event loop is blocked for longer than `warnMs`, which delays every request; at most
 * one line per five seconds. The process metrics have the exact times.
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
