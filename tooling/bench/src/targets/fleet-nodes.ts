import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openDatabase } from '@gatehouse/db/open-database';
import { createAccessDirectory } from '@gatehouse/features/core/access/access-directory';
import { z } from 'zod';
import { fleetOrder } from '../fleet/fleet-order.js';
import { randomGapMs } from '../fleet/random-gap.js';
import { payloadFromParent } from '../target.js';

const { url, nodes, intervalMs, callsPerSecond } = fleetOrder.parse(await payloadFromParent());
const run = z.object({ seconds: z.number() });

/** Member of a change → when each node saw it. */
let seen: [memberId: number, atMs: number][] = [];
let waitsMs: number[] = [];

const directories = await Promise.all(
  Array.from({ length: nodes }, async () => {
    const directory = createAccessDirectory(await openDatabase(url), {
      now: Date.now,
      onChange({ memberId }) {
        if (memberId !== null) seen.push([memberId, performance.timeOrigin + performance.now()]);
      },
    });
    directory.spaceReads(intervalMs);
    await directory.current();
    return { directory, nextMs: 0 };
  }),
);

async function call({ directory }: (typeof directories)[number]): Promise<void> {
  const startMs = performance.now();
  await directory.current();
  waitsMs.push(performance.now() - startMs);
}

/** Timers have whole milliseconds, in which the calls of a busy node would all fall together. */
const TICK_MS = 0.25;
const clock = new Worker(
  `const { parentPort } = require('node:worker_threads');
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Atomics.wait(never, 0, 0, ${TICK_MS});
    parentPort.postMessage(undefined);
  }`,
  { eval: true },
);

/** Every node requests the current state as often as asked, whether earlier requests were answered or not. */
async function play(seconds: number): Promise<void> {
  const startMs = performance.now();
  const readsBefore = countReads();
  const usedBefore = process.cpuUsage();
  seen = [];
  waitsMs = [];
  for (const node of directories) node.nextMs = startMs + randomGapMs(callsPerSecond);
  const calls: Promise<void>[] = [];
  for (;;) {
    const nowMs = performance.now();
    if (nowMs - startMs >= seconds * 1_000) break;
    for (const node of directories) {
      while (node.nextMs <= nowMs) {
        calls.push(call(node));
        node.nextMs += randomGapMs(callsPerSecond);
      }
    }
    await once(clock, 'message');
  }
  const reads = countReads() - readsBefore;
  const { user, system } = process.cpuUsage(usedBefore);
  await Promise.all(calls);
  process.send?.({ reads, cores: (user + system) / 1_000_000 / seconds, waitsMs, seen });
}

function countReads(): number {
  return directories.reduce((sum, { directory }) => sum + directory.statistics.changeReads, 0);
}

process.on('message', (message) => {
  void play(run.parse(message).seconds);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: 0 });
