import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import { addLoginMembers } from '../add-login-members.js';
import { measure, median } from '../measure.js';
import type { Bench, Section } from '../section.js';
import { nextMessage } from '../target.js';
import { renderForeignHashes } from './foreign-hashes.js';

/** Enough connections to keep every core hashing, and few enough that none waits long. */
const CONNECTIONS = 8;

/** The end of a round cuts off logins in progress, but no bare comparisons: 2 % of a round of four seconds. */
const LEAST_SECONDS = 10;

const rateAnswer = z.object({ rate: z.number() });

/** Password logins, each with its session, next to bcrypt alone at the same cost, and while hashes of another system are stored. */
export async function logins(bench: Bench): Promise<Section> {
  const { settings, world } = bench;
  const emails = await addLoginMembers(world, 64);
  const ours = await bench.start('gatehouse', { env: world.env });
  const bcrypt = await bench.start('raw-bcrypt');
  const load = {
    url: ours.origin,
    requests: emails.map((email) => ({
      path: '/webauthenticate',
      body: { email, password: DEMONSTRATION_PASSWORD },
    })),
  };
  await measure(load, { seconds: 2, connections: CONNECTIONS });
  const seconds = Math.max(settings.seconds, LEAST_SECONDS);
  const rounds: { raw: number; perSecond: number; p50Ms: number; p99Ms: number }[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    bench.say(`logins, round ${round} of ${settings.rounds}`);
    bcrypt.process.send({ seconds });
    const { rate } = rateAnswer.parse(await nextMessage(bcrypt.process));
    const { requestsPerSecond, p50Ms, p99Ms } = await measure(load, { seconds, connections: CONNECTIONS });
    rounds.push({ raw: rate, perSecond: requestsPerSecond, p50Ms, p99Ms });
  }
  const besideForeign = await renderForeignHashes(bench, ours, { load, seconds, connections: CONNECTIONS });
  const raw = median(rounds.map((each) => each.raw));
  const perSecond = median(rounds.map((each) => each.perSecond));
  const ratio = median(rounds.map((each) => each.perSecond / each.raw));
  const [p50Ms, p99Ms] = [median(rounds.map((each) => each.p50Ms)), median(rounds.map((each) => each.p99Ms))];
  return {
    title: 'Logins',
    text: `| | per second | p50 ms | p99 ms | Ratio |
|---|---:|---:|---:|---|
| bcrypt alone, cost 10 | ${raw.toFixed(1)} | | | |
| Gatehouse \`/webauthenticate\` | ${perSecond.toFixed(1)} | ${p50Ms} | ${p99Ms} | ${ratio.toFixed(2)} of bcrypt alone |

${CONNECTIONS} connections, ${emails.length} members, median of ${settings.rounds} rounds of ${seconds} s. Each login verifies the \
password, counts the attempt, writes a session and remembers the address.

${besideForeign}`,
    chart: [
      {
        title: 'Logins',
        unit: 'logins/s',
        bars: [
          { label: 'bcrypt alone', value: raw, ours: false },
          { label: 'Gatehouse', value: perSecond, ours: true },
        ],
      },
    ],
  };
}
