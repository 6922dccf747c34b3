import { pbkdf2Sync } from 'node:crypto';
import { dummyHash, foreignHash, passwordCost } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { findCredential, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import { addLoginMembers } from '../add-login-members.js';
import { type Load, measure, median } from '../measure.js';
import type { Bench } from '../section.js';
import { nextMessage, type Target } from '../target.js';

/** How many members have the hash of another system, in every second round. */
const OTHERS = 64;

const ROUNDS = 600_000;

const usageAnswer = z.object({ usage: z.object({ processorMs: z.number() }) });

interface Figures {
  readonly perSecond: number;
  readonly processorMs: number;
}

/** The same logins while others have a hash of another system, and while they have none: a table with the ratios. */
export async function renderForeignHashes(
  { say, settings, world }: Bench,
  target: Target,
  { load, seconds, connections }: { load: Load; seconds: number; connections: number },
): Promise<string> {
  const others = await addLoginMembers(world, OTHERS);
  const db = await openDatabase(world.databaseUrl);
  try {
    const stored = { without: dummyHash, with: pbkdf2Hash() };
    const measured: Record<keyof typeof stored, Figures[]> = { without: [], with: [] };
    const sides = ['without', 'with'] as const;
    for (let round = 1; round <= settings.rounds; round += 1) {
      say(`logins beside foreign hashes, round ${round} of ${settings.rounds}`);
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        await store(db, others, stored[side]);
        const beforeMs = await processorMsOf(target);
        const { requests, requestsPerSecond } = await measure(load, { seconds, connections });
        const processorMs = ((await processorMsOf(target)) - beforeMs) / requests;
        measured[side].push({ perSecond: requestsPerSecond, processorMs });
      }
    }
    const middle = (side: keyof typeof stored, figure: keyof Figures) =>
      median(measured[side].map((each) => each[figure])).toFixed(1);
    const ratio = (figure: keyof Figures) =>
      median(
        measured.with.map((each, at) => each[figure] / (measured.without[at]?.[figure] ?? Number.NaN)),
      ).toFixed(3);
    return `| Gatehouse \`/webauthenticate\` | per second | processor ms each |
|---|---:|---:|
| no hash of another system is stored | ${middle('without', 'perSecond')} | ${middle('without', 'processorMs')} |
| ${OTHERS} others have PBKDF2 of ${ROUNDS.toLocaleString('en')} rounds | ${middle('with', 'perSecond')} | ${middle('with', 'processorMs')} |
| Ratio | ${ratio('perSecond')} | ${ratio('processorMs')} |

The same members, ${connections} connections, median of ${settings.rounds} interleaved rounds of ${seconds} s; a ratio is the median \
of the rounds' ratios. The processor time is that of the service alone.`;
  } finally {
    await db.close();
  }
}

/** As Django stores it. */
function pbkdf2Hash(): string {
  const key = pbkdf2Sync(DEMONSTRATION_PASSWORD, 'NaCl', ROUNDS, 32, 'sha256').toString('base64');
  const stored = foreignHash(`pbkdf2_sha256$${ROUNDS}$NaCl$${key}`);
  if (stored === undefined) throw new Error('The hash of the bench is not one that an import takes');
  return stored;
}

async function store(db: Database, emails: readonly string[], hash: string): Promise<void> {
  for (const email of emails) {
    const member = await findCredential(db, email);
    const isStored =
      member !== undefined &&
      (await setPasswordHash(db, member.id, member.password, hash, passwordCost(hash)));
    if (!isStored) throw new Error(`The bench could not store a hash for ${email}`);
  }
}

async function processorMsOf({ process: child }: Target): Promise<number> {
  child.send('usage');
  return usageAnswer.parse(await nextMessage(child)).usage.processorMs;
}
