import { SLOT_MS, type SlotRun, slotOf } from '@gatehouse/db';
import type { TimeBucket } from './time-buckets.js';

/** Buckets that follow each other, joined where they are equally long: between two changes of the clocks all days are. */
export function slotRuns(buckets: readonly TimeBucket[]): SlotRun[] {
  const runs: SlotRun[] = [];
  for (const { fromMs, untilMs } of buckets) {
    const slots = (untilMs - fromMs) / SLOT_MS;
    const last = runs.at(-1);
    if (last?.slots === slots) runs[runs.length - 1] = { ...last, untilSlot: slotOf(untilMs) };
    else runs.push({ fromSlot: slotOf(fromMs), untilSlot: slotOf(untilMs), slots });
  }
  return runs;
}
