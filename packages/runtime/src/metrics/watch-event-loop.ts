import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../log/log.js';

const LOOK_EVERY_MS = 5_000;
const RESOLUTION_MS = 20;

/**
 * Writes a line when something kept the event loop of this process, and with it every request, waiting for longer than
 * `warnMs`; at most one every five seconds. The figures of it are with those of the process.
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
