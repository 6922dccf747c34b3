import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Load, type Measurement, measure, median } from './measure.js';
import { renderTable } from './render-table.js';
import { nextMessage, startTarget, type Target } from './target.js';
import { type BenchDatabase, makeWorld, signIn, signUpWithPeer } from './world.js';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'libsql' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
  },
});

function databaseNamed(name: string): BenchDatabase {
  if (name === 'libsql' || name === 'mariadb') return name;
  throw new Error('--database is libsql or mariadb');
}

const anyAnswer = z.record(z.string(), z.unknown());
const trpcAnswer = z.object({ result: z.object({ data: anyAnswer }) });
const statisticsAnswer = z.object({ statistics: z.object({ reads: z.number() }) });

async function answerOf(load: Load): Promise<Record<string, unknown>> {
  const response = await fetch(load.url, { headers: load.headers ?? {} });
  if (!response.ok) throw new Error(`${load.url} answers ${response.status}`);
  return anyAnswer.parse(await response.json());
}

function dataOf(answer: unknown): object {
  return trpcAnswer.parse(answer).result.data;
}

async function statisticsOf({ process: child }: Target): Promise<{ reads: number }> {
  child.send('statistics');
  return statisticsAnswer.parse(await nextMessage(child)).statistics;
}

async function main(): Promise<void> {
  const database = databaseNamed(options.database);
  const settings = { seconds: Number(options.seconds), connections: Number(options.connections) };
  await using world = await makeWorld(database);
  const targets: Target[] = [];
  try {
    const ours = await startTarget('gatehouse', { env: world.env });
    targets.push(ours);
    const headers = { token: await signIn(ours.origin), accountid: '1' };
    const rest: Load = { url: `${ours.origin}/auth/me`, headers };
    const trpc: Load = { url: `${ours.origin}/trpc/session.me`, headers };
    const restAnswer = await answerOf(rest);
    const bareHttp = await startTarget('bare-http', { payload: restAnswer });
    const bareExpress = await startTarget('bare-express', { payload: restAnswer });
    const bareTrpc = await startTarget('bare-trpc', { payload: dataOf(await answerOf(trpc)) });
    targets.push(bareHttp, bareExpress, bareTrpc);

    const rows: { name: string; against?: string; load: Load }[] = [
      { name: 'bare node:http', load: { url: `${bareHttp.origin}/auth/me`, headers } },
      { name: 'bare Express 5', load: { url: `${bareExpress.origin}/auth/me`, headers } },
      { name: 'Gatehouse over REST', against: 'bare Express 5', load: rest },
      { name: 'bare tRPC standalone', load: { url: `${bareTrpc.origin}/trpc/session.me`, headers } },
      { name: 'Gatehouse over tRPC', against: 'bare tRPC standalone', load: trpc },
    ];
    if (world.peerUrl !== undefined) {
      const peer = await startTarget('better-auth', { env: { ...world.env, DATABASE_URL: world.peerUrl } });
      targets.push(peer);
      const load = {
        url: `${peer.origin}/api/auth/get-session`,
        headers: { cookie: await signUpWithPeer(peer.origin) },
      };
      rows.push({ name: 'Better Auth get-session', against: 'Gatehouse over REST', load });
    }
    const measured = new Map<string, Measurement[]>(rows.map(({ name }) => [name, []]));
    for (const { load } of rows) await measure(load, { ...settings, seconds: 2 });
    const before = await statisticsOf(ours);
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      process.stderr.write(`round ${round} of ${options.rounds}\n`);
      for (const { name, load } of rows) measured.get(name)?.push(await measure(load, settings));
    }
    const after = await statisticsOf(ours);
    const requests = rows
      .filter(({ name }) => name.startsWith('Gatehouse'))
      .flatMap(({ name }) => measured.get(name) ?? [])
      .reduce((sum, measurement) => sum + measurement.requests, 0);

    process.stdout.write(
      `${renderTable(
        rows.map(({ name, against }) => {
          const own = measured.get(name) ?? [];
          const base = against === undefined ? undefined : measured.get(against);
          const ratios = base
            ? own.map(
                (each, index) => each.requestsPerSecond / (base[index]?.requestsPerSecond ?? Number.NaN),
              )
            : [];
          return {
            name,
            requestsPerSecond: median(own.map((each) => each.requestsPerSecond)),
            p50Ms: median(own.map((each) => each.p50Ms)),
            p99Ms: median(own.map((each) => each.p99Ms)),
            ratio: against === undefined ? undefined : { value: median(ratios), against },
          };
        }),
      )}\n\n${database}, ${settings.connections} connections, median of ${options.rounds} interleaved rounds of ${settings.seconds} s. ` +
        `Database reads per guarded request: ${((after.reads - before.reads) / requests).toFixed(3)}.\n`,
    );
  } finally {
    for (const target of targets) target.process.disconnect();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
