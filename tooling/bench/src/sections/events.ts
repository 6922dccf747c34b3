import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { findFeedEnd } from '@gatehouse/db/queries/events';
import { spawnService } from '@gatehouse/testkit';
import { z } from 'zod';
import {
  addAccounts,
  addEndpoints,
  type OwnedAccount,
  renamesOver,
  sizeOfEvents,
  writeEvents,
} from '../event-world.js';
import { type Load, type LoadRequest, type Measurement, measure, median, percentile } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { AS_DEPLOYED, nextMessage, type Target } from '../target.js';

/** The backlog of each endpoint. */
const EVENTS = 6_000;

const CHANGES_PER_SECOND = 200;

const CONNECTIONS = 8;

const PATIENCE_MS = 60_000;

/** How long a service may still send what it has claimed for a removed endpoint. */
const SETTLING_MS = 500;

const countAnswer = z.object({ count: z.number() });
const takeAnswer = z.object({ tookMs: z.array(z.number()) });

interface Scene {
  readonly bench: Bench;
  readonly db: Database;
  readonly accounts: readonly OwnedAccount[];
  readonly receiver: Target;
}

/**
 * Deliveries from a backlog, also beside a dead endpoint, the time from a change to the receipt of its event, and what events cost
 * their writer and the disk.
 */
export async function events(bench: Bench): Promise<Section> {
  const { world, settings } = bench;
  const db = await openDatabase(world.databaseUrl);
  try {
    const accounts = await addAccounts(world, db);
    const scene = { bench, db, accounts, receiver: await bench.start('event-receiver') };
    const { bytes, deliveries, times } = await measureSending(scene);
    const writing = await measureWriting(scene);
    return {
      title: 'Events',
      text: `| Events to | deliveries/s | Ratio |
|---|---:|---|
${deliveries.map(({ name, perSecond, ratio }) => `| ${name} | ${perSecond.toFixed(0)} | ${ratio} |`).join('\n')}

Each endpoint has a host of its own, and a backlog of ${EVENTS} events of ${accounts.length} accounts. All belong to the deployment.

| | p50 ms | p99 ms |
|---|---:|---:|
| from a change to the receipt of its event | ${times.p50Ms.toFixed(0)} | ${times.p99Ms.toFixed(0)} |

${CHANGES_PER_SECOND} calls of \`account.rename\` a second, of which ${(times.made * 100).toFixed(0)} % were accepted, and one endpoint. The time begins within \
the transaction of the change.

| | per second | p50 ms | Ratio |
|---|---:|---:|---|
| \`account.rename\` without an event | ${writing.without.perSecond.toFixed(0)} | ${writing.without.p50Ms} | |
| \`account.rename\` with its event | ${writing.told.perSecond.toFixed(0)} | ${writing.told.p50Ms} | ${writing.ratio.toFixed(2)} of without |

${CONNECTIONS} connections over REST. The service is the same, but that the bench removes the action from the table of those that \
cause events. No events are delivered meanwhile.

An event that one account may read takes two rows, of ${bytes.perEvent} bytes with their indexes, and a delivery one of \
${bytes.perDelivery}. Median of ${settings.rounds} interleaved rounds of ${settings.seconds} s; a ratio is the median of the rounds' \
ratios.`,
      chart: [
        {
          title: 'Events',
          unit: 'deliveries/s',
          bars: deliveries.map(({ name, perSecond }) => ({ label: name, value: perSecond, ours: true })),
        },
      ],
    };
  } finally {
    await db.close();
  }
}

/** The endpoints of a whole service, which may call this machine outside production. */
async function measureSending(scene: Scene) {
  const { bench, db, accounts } = scene;
  const { world, settings, say } = bench;
  const empty = await sizeOfEvents(db);
  await writeEvents(db, accounts, EVENTS);
  const told = await sizeOfEvents(db);
  await using service = await spawnService('api-main', {
    databaseUrl: world.databaseUrl,
    env: { ...AS_DEPLOYED, ...world.env, NODE_ENV: 'test', LOG_LEVEL: 'warn' },
  });
  await sendBacklog(scene, urlsOf(scene, 1), PATIENCE_MS);
  const sent = await sizeOfEvents(db);
  const bytes = {
    perEvent: Math.round((told.bytes - empty.bytes) / EVENTS),
    perDelivery: Math.round((sent.bytes - told.bytes) / (sent.deliveries - told.deliveries)),
  };
  const deliveries = await measureDeliveries(scene);
  const next = await renamesOver(service.url, accounts);
  const rounds: { share: number; tookMs: number[] }[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    say(`from changes to receipts, round ${round} of ${settings.rounds}`);
    rounds.push(await timesToReceipts(scene, service.url, next));
  }
  const middle = (share: number) => median(rounds.map(({ tookMs }) => percentile(tookMs, share)));
  const made = median(rounds.map(({ share }) => share));
  return { bytes, deliveries, times: { made, p50Ms: middle(0.5), p99Ms: middle(0.99) } };
}

interface Row {
  readonly name: string;
  readonly urls: readonly string[];
  readonly against?: string;
}

async function measureDeliveries(scene: Scene) {
  const { say, settings } = scene.bench;
  const nine = urlsOf(scene, 9);
  const silent = `${hostAt(scene, 10)}/silent`;
  const rows: Row[] = [
    { name: 'one endpoint', urls: urlsOf(scene, 1) },
    { name: 'ten endpoints', urls: urlsOf(scene, 10) },
    { name: 'nine endpoints', urls: nine },
    {
      name: 'nine beside one that refuses connections',
      urls: [...nine, CLOSED],
      against: 'nine endpoints',
    },
    { name: 'nine beside one that never answers', urls: [...nine, silent], against: 'nine endpoints' },
  ];
  const measured = new Map<string, number[]>(rows.map(({ name }) => [name, []]));
  for (let round = 1; round <= settings.rounds; round += 1) {
    say(`deliveries, round ${round} of ${settings.rounds}`);
    for (const { name, urls } of rows)
      measured.get(name)?.push(await sendBacklog(scene, urls, settings.seconds * 1_000));
  }
  return rows.map(({ name, against }) => {
    const own = measured.get(name) ?? [];
    const base = against === undefined ? [] : (measured.get(against) ?? []);
    const ratios = base.map((perSecond, round) => (own[round] ?? Number.NaN) / perSecond);
    const ratio = against === undefined ? '' : `${median(ratios).toFixed(2)} of ${against}`;
    return { name, perSecond: median(own), ratio };
  });
}

/** No server listens there. */
const CLOSED = 'http://127.0.0.10:1024/events';

function hostAt({ receiver }: Scene, host: number): string {
  return receiver.origin.replace('127.0.0.1', `127.0.0.${host}`);
}

function urlsOf(scene: Scene, count: number): string[] {
  return Array.from({ length: count }, (_, turn) => `${hostAt(scene, turn + 1)}/events`);
}

/** Sends the backlog to endpoints, for a while or until they have it. Returns how many deliveries a second come after the first. */
async function sendBacklog(scene: Scene, urls: readonly string[], whileMs: number): Promise<number> {
  const { bench, db, receiver } = scene;
  await take(receiver);
  const remove = await addEndpoints(bench.world, db, { urls, position: 0 });
  const most = EVENTS * urls.length;
  const before = await countWhenAbove(receiver, 0);
  const startMs = performance.now();
  let count = before;
  while (count < most && performance.now() - startMs < whileMs) {
    await pause(20);
    count = await countReceived(receiver);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  await remove();
  await take(receiver);
  await pause(SETTLING_MS);
  return (count - before) / seconds;
}

/** How many of the changes were made, and how long the receipts of their events took. */
async function timesToReceipts(
  scene: Scene,
  origin: string,
  next: () => LoadRequest,
): Promise<{ share: number; tookMs: number[] }> {
  const { bench, db, receiver } = scene;
  await take(receiver);
  const position = (await findFeedEnd(db)) ?? 0;
  const remove = await addEndpoints(bench.world, db, { urls: urlsOf(scene, 1), position });
  const calls: Promise<boolean>[] = [];
  const startMs = performance.now();
  for (let tookMs = 0; tookMs < bench.settings.seconds * 1_000; tookMs = performance.now() - startMs) {
    while (calls.length < (tookMs * CHANGES_PER_SECOND) / 1_000) calls.push(post(origin, next()));
    await pause(1);
  }
  const made = (await Promise.all(calls)).filter((isMade) => isMade).length;
  await countWhenAbove(receiver, made - 1);
  const { tookMs } = await take(receiver);
  await remove();
  await pause(SETTLING_MS);
  return { share: made / calls.length, tookMs };
}

/** Whether the service did what was requested; it did not if it is too busy. */
async function post(origin: string, { path, headers = {}, body }: LoadRequest): Promise<boolean> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok && response.status !== 503) throw new Error(`${path} answers ${response.status}`);
  return response.ok;
}

/** What the receiver got since the last call. It also ends requests that it has not answered. */
async function take({ process: child }: Target) {
  child.send('take');
  return takeAnswer.parse(await nextMessage(child));
}

async function countReceived({ process: child }: Target): Promise<number> {
  child.send('count');
  return countAnswer.parse(await nextMessage(child)).count;
}

async function countWhenAbove(receiver: Target, least: number): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const count = await countReceived(receiver);
    if (count > least) return count;
    if (performance.now() >= endMs) throw new Error(`of more than ${least} events only ${count} came`);
    await pause(5);
  }
}

/** The same change over a service that writes its event, and over one that does not. */
async function measureWriting({ bench, accounts }: Scene) {
  const { settings } = bench;
  const sides = {
    without: await writerOf('gatehouse-without-events', bench, accounts),
    told: await writerOf('gatehouse', bench, accounts),
  };
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`changes and their events, round ${round} of ${settings.rounds}`);
    const inTurn = [sides.without, sides.told];
    for (const { load, measured } of round % 2 === 1 ? inTurn : inTurn.toReversed())
      measured.push(await measure(load, { ...settings, connections: CONNECTIONS }));
  }
  const figuresOf = ({ measured }: Writer) => ({
    perSecond: median(measured.map((each) => each.requestsPerSecond)),
    p50Ms: median(measured.map((each) => each.p50Ms)),
  });
  const ratios = sides.told.measured.map(
    (each, round) =>
      each.requestsPerSecond / (sides.without.measured[round]?.requestsPerSecond ?? Number.NaN),
  );
  return { without: figuresOf(sides.without), told: figuresOf(sides.told), ratio: median(ratios) };
}

interface Writer {
  readonly load: Load;
  readonly measured: Measurement[];
}

async function writerOf(
  program: string,
  { start, world }: Bench,
  accounts: readonly OwnedAccount[],
): Promise<Writer> {
  const { origin } = await start(program, { env: world.env });
  const load = { url: origin, next: await renamesOver(origin, accounts) };
  await measure(load, { seconds: 2, connections: CONNECTIONS });
  return { load, measured: [] };
}
