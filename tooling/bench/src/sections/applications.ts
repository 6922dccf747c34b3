import { z } from 'zod';
import { addLoginMembers } from '../add-login-members.js';
import {
  APPLICATIONS,
  addApplications,
  authorizationOf,
  BARE,
  codeFor,
  exchange,
  OURS,
  REDIRECT_URI,
  type Visit,
} from '../application-world.js';
import { type Load, measure, median } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { nextMessage, type Target } from '../target.js';
import { signIn } from '../world.js';

const MEMBERS = 5;

/** The number of concurrent requests, if one follows from another. */
const CALLERS = 8;

const statisticsAnswer = z.object({ statistics: z.object({ reads: z.number() }) });
/** Codes, exchanges and introspections of applications, next to the library alone on its memory adapter. */
export async function applications(bench: Bench): Promise<Section> {
  const { settings, world } = bench;
  const clients = await addApplications(world);
  const emails = await addLoginMembers(world, MEMBERS);
  const ours = await bench.start('gatehouse', { env: world.env });
  const library = await bench.start('bare-oidc-provider', {
    payload: { clients: clients.map((client) => ({ ...client, redirectUri: REDIRECT_URI })) },
  });
  const tokens = await Promise.all(emails.map((email) => signIn(ours.origin, email)));
  const session = await (await fetch(`${library.origin}/bench/session`)).text();
  const visits = {
    library: clients.map((client) => ({
      client,
      origin: library.origin,
      paths: BARE,
      cookie: `_session=${session}`,
    })),
    ours: clients.map((client, at) => ({
      client,
      origin: ours.origin,
      paths: OURS,
      cookie: `__Host-gatehouse=${tokens[at % MEMBERS] ?? ''}`,
    })),
  };
  const loads = {
    library: await introspectionsOf(library, visits.library),
    ours: await introspectionsOf(ours, visits.ours),
  };
  for (const load of [loads.library, loads.ours]) await measure(load, { ...settings, seconds: 2 });
  const before = await readsOf(ours);
  let asked = 0;
  const rounds: Record<'library' | 'ours', { requestsPerSecond: number; p50Ms: number; p99Ms: number }>[] =
    [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`introspections, round ${round} of ${settings.rounds}`);
    const measured = {
      library: await measure(loads.library, settings),
      ours: await measure(loads.ours, settings),
    };
    asked += measured.ours.requests;
    rounds.push(measured);
  }
  const reads = ((await readsOf(ours)) - before) / asked;
  const flows: Record<'library' | 'ours', { codes: number; exchanges: number }>[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`codes, round ${round} of ${settings.rounds}`);
    flows.push({
      library: await exchangedPerSecond(visits.library, settings.seconds),
      ours: await exchangedPerSecond(visits.ours, settings.seconds),
    });
  }
  const introspections = (of: 'library' | 'ours') => median(rounds.map((each) => each[of].requestsPerSecond));
  const times = (name: 'p50Ms' | 'p99Ms', of: 'library' | 'ours') =>
    median(rounds.map((each) => each[of][name]));
  const ratio = median(rounds.map((each) => each.ours.requestsPerSecond / each.library.requestsPerSecond));
  const flow = (name: 'codes' | 'exchanges', of: 'library' | 'ours') =>
    median(flows.map((each) => each[of][name]));
  const row = (of: 'library' | 'ours', name: string, more: string) =>
    `| ${name} | ${Math.round(flow('codes', of))} | ${Math.round(flow('exchanges', of))} | ${Math.round(introspections(of)).toLocaleString('en')} | ${times('p50Ms', of)} | ${times('p99Ms', of)} | ${more} |`;
  return {
    title: 'Applications',
    text: `| | codes/s | exchanges/s | introspections/s | p50 ms | p99 ms | Ratio |
|---|---:|---:|---:|---:|---:|---|
${row('library', 'oidc-provider alone, in memory', '')}
${row('ours', 'Gatehouse', `${ratio.toFixed(2)} of the introspections of oidc-provider alone`)}

${APPLICATIONS} applications, median of ${settings.rounds} rounds of ${settings.seconds} s. A code is for a person who is signed in and \
has agreed; codes are then exchanged, ${CALLERS} at once. Introspections are on ${settings.connections} connections, interleaved; the times \
are theirs. Database reads per introspection: ${reads.toFixed(3)}.`,
    chart: [
      {
        title: 'Introspections',
        unit: 'requests/s',
        bars: [
          { label: 'oidc-provider alone', value: introspections('library'), ours: false },
          { label: 'Gatehouse', value: introspections('ours'), ours: true },
        ],
      },
    ],
  };
}

/** Codes, and then the exchange of each, alternately for some seconds. The library keeps a thousand objects in memory. */
async function exchangedPerSecond(visits: readonly Visit[], seconds: number) {
  const spent = { codesMs: 0, exchangesMs: 0 };
  let count = 0;
  while (spent.codesMs < seconds * 1000) {
    const codes: { visit: Visit; code: string }[] = [];
    const waiting = visits.slice();
    const began = performance.now();
    await together(async () => {
      for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop())
        codes.push({ visit, code: await codeFor(visit) });
    });
    count += codes.length;
    const given = performance.now();
    await together(async () => {
      for (let next = codes.pop(); next !== undefined; next = codes.pop())
        await exchange(next.visit, next.code);
    });
    spent.codesMs += given - began;
    spent.exchangesMs += performance.now() - given;
  }
  return { codes: (count * 1000) / spent.codesMs, exchanges: (count * 1000) / spent.exchangesMs };
}

async function together(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: CALLERS }, work));
}

/** Introspections of a token of each application. */
async function introspectionsOf({ origin }: Target, visits: readonly Visit[]): Promise<Load> {
  const requests = [];
  for (const visit of visits) {
    const token = await exchange(visit, await codeFor(visit));
    const headers = { authorization: authorizationOf(visit.client) };
    requests.push({ path: visit.paths.introspect, headers, body: new URLSearchParams({ token }) });
  }
  return { url: origin, requests };
}

async function readsOf(target: Target): Promise<number> {
  target.process.send('statistics');
  return statisticsAnswer.parse(await nextMessage(target.process)).statistics.reads;
}
