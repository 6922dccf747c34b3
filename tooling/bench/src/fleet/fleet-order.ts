import { z } from 'zod';

/** The role of a process in the fleet. */
export const fleetOrder = z.object({
  url: z.string(),
  nodes: z.number(),
  /** `ACCESS_READ_INTERVAL_MS` of each node. */
  intervalMs: z.number(),
  /** Guarded calls of each node. */
  callsPerSecond: z.number(),
});

export type FleetOrder = z.infer<typeof fleetOrder>;

/** What it reports of a run. */
export const fleetReport = z.object({
  reads: z.number(),
  /** Processor time, in cores. */
  cores: z.number(),
  waitsMs: z.array(z.number()),
  seen: z.array(z.tuple([z.number(), z.number()])),
});
