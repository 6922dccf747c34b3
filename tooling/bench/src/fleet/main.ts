import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../measure.js';
import { renderChart } from '../render-report.js';
import type { BarGroup } from '../section.js';
import { makeWorld } from '../world.js';
import { loadOneNode, type NodeFigures } from './load-one-node.js';
import { playFleet, type Stage, type StageFigures } from './play-fleet.js';

const OPTIONS = {
  url: { type: 'string' },
  nodes: { type: 'string', default: '1,10,30,100' },
  intervals: { type: 'string', default: '0,2' },
  calls: { type: 'string', default: '50,1000' },
  changes: { type: 'string', default: '50' },
  processes: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '3' },
  only: { type: 'string', default: 'fleet,node' },
  report: { type: 'string' },
} as const;

/** For the connections of the nodes, of the probed service and of the bench itself. */
const CONNECTIONS = 2_000;

/** The load that one database can take: nodes that read its change log, without and with a pause between their reads. */
export async function fleetBench(args: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({ args: [...args], options: OPTIONS });
  const settings = {
    changesPerSecond: positive(options.changes),
    processes: positive(options.processes),
    seconds: positive(options.seconds),
    rounds: positive(options.rounds),
  };
  const { changesPerSecond, seconds, rounds } = settings;
  const calls = options.calls.split(',').map(positive);
  const nodes = options.nodes.split(',').map(positive);
  const intervalsMs = options.intervals.split(',').map(Number);
  const parts = options.only.split(',');

  const [loadBefore = 0] = loadavg();
  await using world = await makeWorld('mariadb', {
    url: options.url,
    serverSettings: [`--max-connections=${CONNECTIONS}`],
  });
  const groups: BarGroup[] = [];
  const texts: string[] = [];
  if (parts.includes('fleet')) {
    const stages = calls.flatMap((callsPerSecond) =>
      nodes.flatMap((count) =>
        intervalsMs.map((intervalMs) => ({ callsPerSecond, nodes: count, intervalMs })),
      ),
    );
    const figures = await inRounds(stages, rounds, (stage) => playFleet(world, stage, settings));
    texts.push(`## The fleet

${renderStages(figures)}

Each node is asked so many times a second for the current state, as by guarded calls, beside ${changesPerSecond} changes of access a second in all. The probed node is one more, a whole service over HTTP. Median of \
${rounds} interleaved rounds of ${seconds} s.`);
    groups.push(...chartOf(figures));
  }
  if (parts.includes('node')) {
    const figures = await loadOneNode(world, settings, intervalsMs);
    texts.push(`## One node

${renderNode(figures)}

\`GET /auth/me\` of a whole service, alone with its database. Median of ${rounds} interleaved rounds of ${seconds} s.`);
  }
  const machine = `MariaDB, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  process.stdout.write(`${texts.join('\n\n')}\n`);
  if (options.report === undefined) return;
  const chartPath = options.report.replace(/\.md$/, '.svg');
  await writeFile(chartPath, renderChart(groups, `A fleet on ${machine}`));
  await writeFile(
    options.report,
    `# A fleet of nodes

\`pnpm bench fleet\` on ${machine}, which the nodes, the callers and the database share. Trust the ratios, not the figures; the
load average of the machine was ${loadBefore.toFixed(1)} before the run. Without a pause (0 ms) a node begins a read of the change log as soon as the one before has ended;
\`ACCESS_READ_INTERVAL_MS\` is the interval.

![The figures as bars](${basename(chartPath)})

${texts.join('\n\n')}
`,
  );
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new Error(`${value} is not a number above zero`);
  return number;
}

/** Each stage once in every round, so that all have the same share of a slow minute. */
async function inRounds(
  stages: readonly Stage[],
  rounds: number,
  play: (stage: Stage) => Promise<StageFigures>,
): Promise<StageFigures[]> {
  const played: StageFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const stage of stages) {
      process.stderr.write(
        `round ${round} of ${rounds}, ${stage.nodes} nodes of ${stage.callsPerSecond} calls/s, ${stage.intervalMs} ms\n`,
      );
      played.push(await play(stage));
    }
  }
  return stages.map((stage) =>
    middleOf(
      played.filter((_, index) => stages[index % stages.length] === stage),
      stage,
    ),
  );
}

function middleOf(figures: readonly StageFigures[], stage: Stage): StageFigures {
  const middle = (of: (one: StageFigures) => number) => median(figures.map(of));
  const latency = (of: (one: StageFigures) => { p50Ms: number; p99Ms: number }) => ({
    p50Ms: middle((one) => of(one).p50Ms),
    p99Ms: middle((one) => of(one).p99Ms),
  });
  const hasCores = figures.every(({ database }) => database.cores !== undefined);
  return {
    ...stage,
    database: {
      readsPerSecond: middle(({ database }) => database.readsPerSecond),
      cores: hasCores ? middle(({ database }) => database.cores ?? 0) : undefined,
    },
    logReadsPerSecond: middle((one) => one.logReadsPerSecond),
    nodeCores: middle((one) => one.nodeCores),
    waits: { perSecond: middle(({ waits }) => waits.perSecond), ...latency(({ waits }) => waits) },
    probe: { perSecond: middle(({ probe }) => probe.perSecond), ...latency(({ probe }) => probe) },
    seen: latency(({ seen }) => seen),
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const both = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }): string =>
  `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;

function renderStages(figures: readonly StageFigures[]): string {
  const rows = figures.map((one) =>
    [
      one.callsPerSecond,
      one.nodes,
      one.intervalMs,
      whole(one.waits.perSecond),
      whole(one.logReadsPerSecond),
      whole(one.database.readsPerSecond),
      one.database.cores?.toFixed(2) ?? '–',
      one.nodeCores.toFixed(2),
      both(one.waits),
      both(one.probe),
      both(one.seen),
    ].join(' | '),
  );
  const columns = [
    'Calls/s of a node',
    'Nodes',
    'Interval ms',
    'All calls/s',
    'Reads of the log/s',
    'All reads of the database/s',
    'Its cores',
    'Cores of the nodes',
    'A call waits for the log, ms',
    'A call on the probed node, ms',
    'A change is seen after ms',
  ];
  return `| ${columns.join(' | ')} |
|${'---:|'.repeat(columns.length)}
${rows.map((row) => `| ${row} |`).join('\n')}

Times are p50 / p99.`;
}

function renderNode(figures: readonly NodeFigures[]): string {
  const rows = figures.map(({ load, intervalMs, perSecond, readsPerSecond, ...latency }) =>
    [
      'callers' in load ? `${load.callers} at once` : `${whole(load.callsPerSecond)} a second`,
      intervalMs,
      whole(perSecond),
      both(latency),
      whole(readsPerSecond),
    ].join(' | '),
  );
  return `| Callers | Interval ms | Calls/s | p50 / p99 ms | Reads of the log/s |
|---|---:|---:|---:|---:|
${rows.map((row) => `| ${row} |`).join('\n')}`;
}

function chartOf(figures: readonly StageFigures[]): BarGroup[] {
  const group = (title: string, unit: string, of: (one: StageFigures) => number): BarGroup => ({
    title,
    unit,
    bars: figures.map((one) => ({
      label: `${one.nodes} of ${whole(one.callsPerSecond)}/s, ${one.intervalMs} ms`,
      value: of(one),
      ours: one.intervalMs > 0,
    })),
  });
  return [
    group('Reads of the change log', 'a second', (one) => one.logReadsPerSecond),
    group('The database', 'cores', ({ database }) => database.cores ?? 0),
    group('A guarded call waits for the change log, p50', 'ms', ({ waits }) => waits.p50Ms),
    group('A call on the probed node, p99', 'ms', ({ probe }) => probe.p99Ms),
  ];
}
