import { openDatabase } from '@gatehouse/db/open-database';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { createAuthenticator, type SoftwarePasskey } from '@gatehouse/testkit';
import { z } from 'zod';
import { addLoginMembers } from '../add-login-members.js';
import { median, percentile } from '../measure.js';
import type { Bench, Section } from '../section.js';
import type { BenchWorld } from '../world.js';

const CONNECTIONS = 8;
const ORIGIN = 'https://bench.example.com';

const asked = z.object({
  data: z.object({ flow: z.string(), options: z.looseObject({ challenge: z.string() }) }),
});
const forUse = z.object({ challenge: z.string(), rpId: z.string() });
const forCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
});
const login = z.object({ token: z.string() });

/** Sign-ins with passkeys: the options, and the response with its session. */
export async function passkeys(bench: Bench): Promise<Section> {
  const { settings, world } = bench;
  const env = { ...world.env, APP_URL: ORIGIN, BASE_URL: ORIGIN, FLOWS_PER_ADDRESS: '1000000' };
  const { origin } = await bench.start('gatehouse', { env });
  const emails = await addLoginMembers(world, CONNECTIONS);
  await proveOwners(world);
  const owned = await Promise.all(emails.map((email) => register(origin, email)));
  const seconds = Math.max(settings.seconds, 4);
  await run(origin, owned, 2);
  const rounds: { perSecond: number; p50Ms: number; p99Ms: number }[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`passkeys, round ${round} of ${settings.rounds}`);
    const tookMs = await run(origin, owned, seconds);
    rounds.push({
      perSecond: tookMs.length / seconds,
      p50Ms: percentile(tookMs, 0.5),
      p99Ms: percentile(tookMs, 0.99),
    });
  }
  const perSecond = median(rounds.map((each) => each.perSecond));
  const [p50Ms, p99Ms] = [median(rounds.map((each) => each.p50Ms)), median(rounds.map((each) => each.p99Ms))];
  return {
    title: 'Passkeys',
    text: `| | per second | p50 ms | p99 ms |
|---|---:|---:|---:|
| Gatehouse \`signIn.passkey\` | ${perSecond.toFixed(1)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} |

${CONNECTIONS} callers, each with a passkey, median of ${settings.rounds} rounds of ${seconds} s. Each sign-in asks for options, signs \
in software, and sends the response; the times are of the response alone, which verifies the signature, uses up flow and counter, and \
writes a session.`,
    chart: [
      { title: 'Passkeys', unit: 'sign-ins/s', bars: [{ label: 'Gatehouse', value: perSecond, ours: true }] },
    ],
  };
}

/** Signs in over and over. The times of the responses in milliseconds. */
async function run(origin: string, owned: readonly SoftwarePasskey[], seconds: number): Promise<number[]> {
  const endMs = performance.now() + seconds * 1000;
  const tookMs: number[] = [];
  const signIn = async (passkey: SoftwarePasskey) => {
    while (performance.now() < endMs) {
      const { data } = asked.parse(await post(origin, 'signIn/passkeyOptions', {}));
      const response = passkey.use(forUse.parse(data.options));
      const startMs = performance.now();
      await post(origin, 'signIn/passkey', { flow: data.flow, response });
      tookMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(owned.map(signIn));
  return tookMs;
}

async function register(origin: string, email: string): Promise<SoftwarePasskey> {
  const credentials = { email, password: DEMONSTRATION_PASSWORD };
  const { token } = login.parse(await post(origin, '../webauthenticate', credentials));
  const { data } = asked.parse(await post(origin, 'passkey/addOptions', {}, token));
  const passkey = createAuthenticator({ origin: ORIGIN }).create(forCreation.parse(data.options));
  await post(origin, 'passkey/add', { flow: data.flow, response: passkey.registration }, token);
  return passkey;
}

/** Members whose address is proven add a passkey without a mailed code. */
async function proveOwners({ databaseUrl }: BenchWorld): Promise<void> {
  const db = await openDatabase(databaseUrl);
  const sql = 'update members set owner_proven_at_ms = ?';
  await db.write({ toSQL: () => ({ sql, params: [Date.now()] }) });
  await db.close();
}

async function post(origin: string, path: string, body: object, token?: string): Promise<unknown> {
  const response = await fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { token }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
