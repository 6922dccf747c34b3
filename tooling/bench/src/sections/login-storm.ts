import { setTimeout as pause } from 'node:timers/promises';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import { addLoginMembers } from '../add-login-members.js';
import { median, percentile } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { nextMessage, type Target } from '../target.js';
import { signIn } from '../world.js';

const LOGINS = 600;
/** One guarded call per interval, whether the previous one was answered or not. */
const CALL_EVERY_MS = 10;

const stormAnswer = z.object({
  logins: z.array(z.object({ status: z.number(), retryAfter: z.string().nullable(), tookMs: z.number() })),
});

interface Storm {
  readonly signedIn: number;
  readonly shed: number;
  readonly other: number;
  readonly slowestMs: number;
  readonly guardedP50Ms: number;
  readonly guardedP99Ms: number;
}

/**
 * 600 logins at once, and the latency of guarded calls meanwhile, next to Express without a limit on
 * comparisons.
 */
export async function loginStorm(bench: Bench): Promise<Section> {
  const { settings, world } = bench;
  const emails = await addLoginMembers(world, LOGINS);
  const ours = await bench.start('gatehouse', { env: world.env });
  const headers = { token: await signIn(ours.origin), accountid: '1' };
  const payload: unknown = await (await fetch(`${ours.origin}/auth/me`, { headers })).json();
  const bare = await bench.start('bare-login', { payload: z.record(z.string(), z.unknown()).parse(payload) });
  const sender = await bench.start('login-storm');
  const over = new Map<Target, Storm[]>([
    [bare, []],
    [ours, []],
  ]);
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`login storm, round ${round} of ${settings.rounds}`);
    for (const [target, storms] of over) storms.push(await stormOver(target, { sender, emails, headers }));
  }
  const rows = [
    { name: 'Express, no bound', storms: over.get(bare) ?? [] },
    { name: 'Gatehouse', storms: over.get(ours) ?? [] },
  ].map(({ name, storms }) => {
    const middle = (figure: keyof Storm) => Math.round(median(storms.map((each) => each[figure])));
    return {
      name,
      p99Ms: middle('guardedP99Ms'),
      line: `| ${name} | ${middle('signedIn')} | ${middle('shed')} | ${middle('other')} | ${middle('slowestMs')} | ${middle('guardedP50Ms')} | ${middle('guardedP99Ms')} |`,
    };
  });
  return {
    title: 'A login storm',
    text: `| | signed in | 503 with Retry-After | other | slowest login ms | guarded p50 ms | guarded p99 ms |
|---|---:|---:|---:|---:|---:|---:|
${rows.map(({ line }) => line).join('\n')}

${LOGINS} logins at once, each of another member, and a guarded call every ${CALL_EVERY_MS} ms until the last login is answered. \
Median of ${settings.rounds} storms on each.`,
    chart: [
      {
        title: `Guarded calls during ${LOGINS} logins, p99`,
        unit: 'ms, less is better',
        bars: rows.map(({ name, p99Ms }) => ({ label: name, value: p99Ms, ours: name === 'Gatehouse' })),
      },
    ],
  };
}

async function stormOver(
  target: Target,
  { sender, emails, headers }: { sender: Target; emails: string[]; headers: Record<string, string> },
): Promise<Storm> {
  sender.process.send({
    url: `${target.origin}/webauthenticate`,
    emails,
    password: DEMONSTRATION_PASSWORD,
    count: LOGINS,
  });
  let isOver = false;
  const ending = nextMessage(sender.process).finally(() => {
    isOver = true;
  });
  const calls: Promise<number>[] = [];
  while (!isOver) {
    calls.push(timedCall(`${target.origin}/auth/me`, headers));
    await pause(CALL_EVERY_MS);
  }
  const { logins } = stormAnswer.parse(await ending);
  const guardedMs = await Promise.all(calls);
  const signedIn = logins.filter(({ status }) => status === 200).length;
  const shed = logins.filter(({ status, retryAfter }) => status === 503 && retryAfter !== null).length;
  return {
    signedIn,
    shed,
    other: logins.length - signedIn - shed,
    slowestMs: Math.max(...logins.map(({ tookMs }) => tookMs)),
    guardedP50Ms: percentile(guardedMs, 0.5),
    guardedP99Ms: percentile(guardedMs, 0.99),
  };
}

async function timedCall(url: string, headers: Record<string, string>): Promise<number> {
  const startMs = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answers ${response.status} during a storm of logins`);
  return performance.now() - startMs;
}
