import { openDatabase } from '@gatehouse/db/open-database';
import { percentile } from '../measure.js';
import { nextMessage, startTarget, type Target } from '../target.js';
import { type BenchWorld, signIn } from '../world.js';
import { writeChanges } from './change-writer.js';
import { type DatabaseUse, watchDatabase } from './database-watch.js';
import { type FleetOrder, fleetReport } from './fleet-order.js';
import { type CallFigures, measureCalls } from './guarded-calls.js';

export interface FleetSettings {
  readonly seconds: number;
  /** Changes of access in the whole fleet. */
  readonly changesPerSecond: number;
  /** How many processes the nodes are spread over. */
  readonly processes: number;
}

export interface Stage {
  /** Guarded calls of each node. */
  readonly callsPerSecond: number;
  readonly nodes: number;
  readonly intervalMs: number;
}

export interface StageFigures extends Stage {
  readonly database: DatabaseUse;
  /** Reads of the change log by the nodes, without the probed one. */
  readonly logReadsPerSecond: number;
  /** Processor cores that the nodes use, without the probed one. */
  readonly nodeCores: number;
  /** How long a guarded call of a node waits for the change log. */
  readonly waits: { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };
  /** `GET /auth/me` of one more node, a whole service. */
  readonly probe: CallFigures;
  /** From the acknowledgement of a change until a node has seen it. */
  readonly seen: { readonly p50Ms: number; readonly p99Ms: number };
}

const WARM_UP_SECONDS = 0.5;

/** Plays nodes which read the change log, one whole service beside them, and changes of access. */
export async function playFleet(
  world: BenchWorld,
  stage: Stage,
  settings: FleetSettings,
): Promise<StageFigures> {
  const { seconds } = settings;
  const { callsPerSecond, nodes, intervalMs } = stage;
  const targets: Target[] = [];
  const db = await openDatabase(world.databaseUrl);
  await using watch = await watchDatabase(world.databaseUrl, world.serverPid);
  try {
    const orders = spread({ url: world.databaseUrl, nodes, intervalMs, callsPerSecond }, settings.processes);
    for (const payload of orders) targets.push(await startTarget('fleet-nodes', { payload }));
    const service = await startTarget('gatehouse', {
      env: { ...world.env, ACCESS_READ_INTERVAL_MS: String(intervalMs) },
    });
    targets.push(service);
    const probed = {
      url: `${service.origin}/auth/me`,
      headers: { token: await signIn(service.origin), accountid: '1' },
    };
    const fleet = targets.slice(0, orders.length);
    const play = (forSeconds: number) =>
      Promise.all([
        Promise.all(fleet.map((target) => playNodes(target, forSeconds))),
        measureCalls(probed, { callsPerSecond: PROBES_PER_SECOND }, forSeconds),
      ]);

    await play(WARM_UP_SECONDS);
    const end = await watch.begin();
    const changes = writeChanges(db, settings.changesPerSecond);
    const running = play(seconds);
    const [reports, probe] = await running;
    const database = await end();
    await changes.stop();
    const waitsMs = reports.flatMap((report) => report.waitsMs);
    const seenMs = reports.flatMap(({ seen }) =>
      seen.flatMap(([memberId, atMs]) => {
        const since = changes.acknowledged.get(memberId);
        return since === undefined ? [] : [Math.max(0, atMs - since)];
      }),
    );
    return {
      ...stage,
      database,
      logReadsPerSecond: reports.reduce((sum, { reads }) => sum + reads, 0) / seconds,
      nodeCores: reports.reduce((sum, { cores }) => sum + cores, 0),
      waits: { perSecond: waitsMs.length / seconds, ...quantiles(waitsMs) },
      probe,
      seen: quantiles(seenMs),
    };
  } finally {
    for (const { process: child } of targets) child.disconnect();
    await db.close();
  }
}

/** Few enough that the probed node does not burden the others. */
const PROBES_PER_SECOND = 100;

async function playNodes({ process: child }: Target, seconds: number) {
  child.send({ seconds });
  return fleetReport.parse(await nextMessage(child));
}

function spread(order: FleetOrder, processes: number): FleetOrder[] {
  const count = Math.min(order.nodes, processes);
  return Array.from({ length: count }, (_, index) => ({
    ...order,
    nodes: Math.floor((order.nodes + index) / count),
  }));
}

function quantiles(valuesMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  return { p50Ms: percentile(valuesMs, 0.5), p99Ms: percentile(valuesMs, 0.99) };
}
