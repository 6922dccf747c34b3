import { randomInt } from 'node:crypto';

const STEPS = 2 ** 32;

/** The time to the next of that many independent calls a second on average, in milliseconds. */
export function randomGapMs(perSecond: number): number {
  return (-Math.log(randomInt(1, STEPS) / STEPS) * 1_000) / perSecond;
}
