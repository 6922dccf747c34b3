import { z } from 'zod';
import { type Load, type Measurement, measure, median } from '../measure.js';
import { renderTable } from '../render-report.js';
import type { Bench, Section } from '../section.js';
import { nextMessage, type Target } from '../target.js';
import { signIn, signUpWithPeer } from '../world.js';

interface Row {
  readonly name: string;
  readonly against?: string;
  readonly load: Load;
}

const anyAnswer = z.record(z.string(), z.unknown());
const trpcAnswer = z.object({ result: z.object({ data: anyAnswer }) });
const statisticsAnswer = z.object({ statistics: z.object({ reads: z.number() }) });

/**
 * `GET /auth/me` in an account, over both transports, next to bare servers with the same bytes and, on MariaDB,
 * Better Auth's `get-session` over the same server.
 */
export async function guardedRequests(bench: Bench): Promise<Section> {
  const { settings, world } = bench;
  const ours = await bench.start('gatehouse', { env: world.env });
  const rows = await rowsOver(bench, ours);
  const measured = new Map<string, Measurement[]>(rows.map(({ name }) => [name, []]));
  for (const { load } of rows) await measure(load, { ...settings, seconds: 2 });
  const before = await statisticsOf(ours);
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`guarded requests, round ${round} of ${settings.rounds}`);
    for (const { name, load } of rows) measured.get(name)?.push(await measure(load, settings));
  }
  const after = await statisticsOf(ours);
  const requests = rows
    .filter(({ name }) => isOurs(name))
    .flatMap(({ name }) => measured.get(name) ?? [])
    .reduce((sum, measurement) => sum + measurement.requests, 0);
  const figures = rows.map((row) => figuresOf(row, measured));
  return {
    title: 'Guarded requests',
    text: `${renderTable(figures)}

${settings.connections} connections, median of ${settings.rounds} interleaved rounds of ${settings.seconds} s; a ratio is the \
median of the rounds' ratios. Database reads per guarded request: ${((after.reads - before.reads) / requests).toFixed(3)}.`,
    chart: [
      {
        title: 'Guarded requests',
        unit: 'requests/s',
        bars: figures.map(({ name, requestsPerSecond }) => ({
          label: name,
          value: requestsPerSecond,
          ours: isOurs(name),
        })),
      },
    ],
  };
}

async function rowsOver({ start, world }: Bench, ours: Target): Promise<Row[]> {
  const token = await signIn(ours.origin);
  const headers = { token, accountid: '1' };
  const client = { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-origin' };
  const byCookie = { cookie: `__Host-gatehouse=${token}`, ...client, accountid: '1' };
  const rest: Load = { url: `${ours.origin}/auth/me`, headers };
  const trpc: Load = { url: `${ours.origin}/trpc/session.me`, headers };
  const restAnswer = await answerOf(rest);
  const bareHttp = await start('bare-http', { payload: restAnswer });
  const bareExpress = await start('bare-express', { payload: restAnswer });
  const bareTrpc = await start('bare-trpc', {
    payload: trpcAnswer.parse(await answerOf(trpc)).result.data,
  });
  const rows: Row[] = [
    { name: 'bare node:http', load: { url: `${bareHttp.origin}/auth/me`, headers } },
    { name: 'bare Express 5', load: { url: `${bareExpress.origin}/auth/me`, headers } },
    { name: 'Gatehouse over REST', against: 'bare Express 5', load: rest },
    {
      name: 'Gatehouse over REST, by cookie',
      against: 'Gatehouse over REST',
      load: { url: rest.url, headers: byCookie },
    },
    { name: 'bare tRPC standalone', load: { url: `${bareTrpc.origin}/trpc/session.me`, headers } },
    { name: 'Gatehouse over tRPC', against: 'bare tRPC standalone', load: trpc },
  ];
  if (world.peerUrl === undefined) return rows;
  const peer = await start('better-auth', { env: { ...world.env, DATABASE_URL: world.peerUrl } });
  const load = {
    url: `${peer.origin}/api/auth/get-session`,
    headers: { cookie: await signUpWithPeer(peer.origin) },
  };
  return [...rows, { name: 'Better Auth get-session', against: 'Gatehouse over REST', load }];
}

function figuresOf({ name, against }: Row, measured: ReadonlyMap<string, readonly Measurement[]>) {
  const own = measured.get(name) ?? [];
  const base = against === undefined ? undefined : measured.get(against);
  const ratios = (base ?? []).map(
    ({ requestsPerSecond }, round) => (own[round]?.requestsPerSecond ?? Number.NaN) / requestsPerSecond,
  );
  return {
    name,
    requestsPerSecond: median(own.map((each) => each.requestsPerSecond)),
    p50Ms: median(own.map((each) => each.p50Ms)),
    p99Ms: median(own.map((each) => each.p99Ms)),
    ratio: against === undefined ? undefined : { value: median(ratios), against },
  };
}

function isOurs(name: string): boolean {
  return name.startsWith('Gatehouse');
}

async function answerOf(load: Load): Promise<Record<string, unknown>> {
  const response = await fetch(load.url, { headers: load.headers ?? {} });
  if (!response.ok) throw new Error(`${load.url} answers ${response.status}`);
  return anyAnswer.parse(await response.json());
}

async function statisticsOf({ process: child }: Target): Promise<{ reads: number }> {
  child.send('statistics');
  return statisticsAnswer.parse(await nextMessage(child)).statistics;
}
