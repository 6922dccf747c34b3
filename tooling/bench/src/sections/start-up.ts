import { readFile } from 'node:fs/promises';
import { spawnService } from '@gatehouse/testkit';
import { measure, median } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { AS_DEPLOYED, startTarget } from '../target.js';
import { signIn } from '../world.js';

interface Start {
  readonly readyMs: number;
  readonly idleMb: number;
  readonly loadedMb: number;
}

const LOAD_SECONDS = 5;

/** The time from the start of the process to its first answer, and its memory then and after a load. */
export async function startUp(bench: Bench): Promise<Section> {
  const programs = [
    { name: 'bare Express 5', starts: await startsOf(bench, startExpress) },
    { name: 'Gatehouse api-main', starts: await startsOf(bench, () => startService(bench, 'api-main')) },
    { name: 'Gatehouse api-admin', starts: await startsOf(bench, () => startService(bench, 'api-admin')) },
  ];
  const rows = programs.map(({ name, starts }) => ({
    name,
    readyMs: Math.round(median(starts.map((each) => each.readyMs))),
    idleMb: Math.round(median(starts.map((each) => each.idleMb))),
    loadedMb: Math.round(median(starts.map((each) => each.loadedMb))),
  }));
  const bars = (of: 'readyMs' | 'loadedMb') =>
    rows.map((row) => ({ label: row.name, value: row[of], ours: row.name.startsWith('Gatehouse') }));
  return {
    title: 'Start and memory',
    text: `| | ready after ms | resident MB when ready | and after a load |
|---|---:|---:|---:|
${rows.map(({ name, readyMs, idleMb, loadedMb }) => `| ${name} | ${readyMs} | ${idleMb} | ${loadedMb} |`).join('\n')}

Median of ${bench.settings.rounds} starts; the load is ${LOAD_SECONDS} s of \`GET /auth/me\` on ${bench.settings.connections} connections.`,
    chart: [
      { title: 'Start to ready', unit: 'ms, less is better', bars: bars('readyMs') },
      { title: 'Memory after a load', unit: 'MB, less is better', bars: bars('loadedMb') },
    ],
  };
}

interface Running {
  readonly pid: number;
  readonly url: string;
  readonly headers: Record<string, string>;
  end(): Promise<void>;
}

async function startsOf(
  { settings, say }: Bench,
  start: () => Promise<{ ready: Running; readyMs: number }>,
): Promise<Start[]> {
  const starts: Start[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    say(`start and memory, round ${round} of ${settings.rounds}`);
    const { ready, readyMs } = await start();
    try {
      const idleMb = await residentMb(ready.pid);
      const load = { url: `${ready.url}/auth/me`, headers: ready.headers };
      await measure(load, { seconds: LOAD_SECONDS, connections: settings.connections });
      starts.push({ readyMs, idleMb, loadedMb: await residentMb(ready.pid) });
    } finally {
      await ready.end();
    }
  }
  return starts;
}

async function startExpress(): Promise<{ ready: Running; readyMs: number }> {
  const startMs = performance.now();
  const { process: child, origin } = await startTarget('bare-express', { payload: { status: true } });
  const readyMs = performance.now() - startMs;
  const end = async () => child.disconnect();
  return { ready: { pid: child.pid ?? 0, url: origin, headers: {}, end }, readyMs };
}

async function startService(
  { world }: Bench,
  program: 'api-main' | 'api-admin',
): Promise<{ ready: Running; readyMs: number }> {
  const startMs = performance.now();
  const service = await spawnService(program, {
    databaseUrl: world.databaseUrl,
    env: { ...AS_DEPLOYED, ...world.env },
  });
  const readyMs = performance.now() - startMs;
  const email = program === 'api-admin' ? 'root@gatehouse.test' : 'owner@acme.test';
  const headers = { token: await signIn(service.url, email) };
  return { ready: { pid: service.pid, url: service.url, headers, end: () => service.kill9() }, readyMs };
}

/** The memory of a process, as reported by Linux. */
async function residentMb(pid: number): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(pages) * 4096) / 1_000_000;
}
