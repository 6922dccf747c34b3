import { z } from 'zod';
import { median } from '../measure.js';
import { nextMessage, startTarget, type Target } from '../target.js';
import { type BenchWorld, signIn } from '../world.js';
import { type CallFigures, type CallLoad, measureCalls } from './guarded-calls.js';

export interface NodeFigures extends CallFigures {
  readonly load: CallLoad;
  readonly intervalMs: number;
  readonly readsPerSecond: number;
}

const LOADS: readonly CallLoad[] = [
  { callers: 1 },
  { callers: 4 },
  { callers: 8 },
  { callers: 16 },
  { callers: 32 },
  { callsPerSecond: 1_000 },
  { callsPerSecond: 2_000 },
];

const statisticsAnswer = z.object({ statistics: z.object({ changeReads: z.number() }) });

/** What each interval costs one whole service. The services are measured in turn in each round. */
export async function loadOneNode(
  world: BenchWorld,
  settings: { seconds: number; rounds: number },
  intervalsMs: readonly number[],
): Promise<NodeFigures[]> {
  const targets: { intervalMs: number; target: Target; headers: Record<string, string> }[] = [];
  try {
    for (const intervalMs of intervalsMs) {
      const target = await startTarget('gatehouse', {
        env: { ...world.env, ACCESS_READ_INTERVAL_MS: String(intervalMs) },
      });
      targets.push({ intervalMs, target, headers: { token: await signIn(target.origin), accountid: '1' } });
    }
    const figures: NodeFigures[] = [];
    for (let round = 0; round <= settings.rounds; round += 1) {
      for (const load of LOADS) {
        for (const { intervalMs, target, headers } of targets) {
          const before = await changeReads(target);
          const seconds = round === 0 ? 1 : settings.seconds;
          const calls = await measureCalls({ url: `${target.origin}/auth/me`, headers }, load, seconds);
          const readsPerSecond = ((await changeReads(target)) - before) / seconds;
          // The first round warms up.
          if (round > 0) figures.push({ load, intervalMs, ...calls, readsPerSecond });
        }
      }
    }
    return LOADS.flatMap((load) =>
      intervalsMs.map((intervalMs) => {
        const rounds = figures.filter((each) => each.load === load && each.intervalMs === intervalMs);
        const middle = (of: (figure: NodeFigures) => number) => median(rounds.map(of));
        return {
          load,
          intervalMs,
          perSecond: middle((each) => each.perSecond),
          p50Ms: middle((each) => each.p50Ms),
          p99Ms: middle((each) => each.p99Ms),
          readsPerSecond: middle((each) => each.readsPerSecond),
        };
      }),
    );
  } finally {
    for (const { target } of targets) target.process.disconnect();
  }
}

async function changeReads({ process: child }: Target): Promise<number> {
  child.send('statistics');
  return statisticsAnswer.parse(await nextMessage(child)).statistics.changeReads;
}
