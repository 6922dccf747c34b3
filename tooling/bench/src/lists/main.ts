import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Measurement, measure, median } from '../measure.js';
import { startTarget } from '../target.js';
import { type ListRequests, listRequests, type SignedIn, sampleAnswer, signInAs } from './list-requests.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    owner: { type: 'string' },
    staff: { type: 'string' },
    conversation: { type: 'string' },
    rows: { type: 'string', default: '' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
  },
});

/** A service over an existing database. Its tokens and secrets are valid for the measurement only. */
function environmentOver(url: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    // Staff here have no passkey.
    STAFF_ROOT_LEVEL: '1',
    DATABASE_URL: url,
    JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    // The same each time: a database that was measured contains data encrypted with it.
    DATA_ENCRYPTION_KEY: Buffer.alloc(32, 'bench').toString('base64'),
    APP_URL: 'http://127.0.0.1:4000',
    BASE_URL: 'http://127.0.0.1:4000',
    MAIL_OUTBOX_ONLY: 'true',
    LOG_LEVEL: 'warn',
  };
}

interface Row {
  readonly name: string;
  readonly ours: Measurement[];
  readonly bare: Measurement[];
}

/** Measures every row in each round, next to Express sending the same answer from memory. */
async function main(): Promise<void> {
  const { url, owner, staff, conversation } = options;
  if (!url || !owner || !staff || !conversation)
    throw new Error('--url, --owner, --staff and --conversation are needed: seed-load prints the last three');
  const settings = { seconds: Number(options.seconds), connections: Number(options.connections) };
  const env = environmentOver(url);
  const target = await startTarget('gatehouse', { env });
  const admin = await startTarget('gatehouse-admin', { env });
  const originOf = ({ service }: ListRequests) => (service === 'main' ? target : admin).origin;
  const callers: SignedIn = {
    root: await signInAs(target.origin, 'root@gatehouse.test', { inAccount: false }),
    owner: await signInAs(target.origin, owner, { inAccount: true }),
    staff: await signInAs(target.origin, staff, { inAccount: false }),
  };
  const lists = listRequests(callers, Number(conversation)).filter(({ name }) => name.includes(options.rows));
  if (lists.length === 0) throw new Error(`no row's name contains ${options.rows}`);
  const answers = await Promise.all(lists.map((list) => sampleAnswer(originOf(list), list)));
  const bare = await startTarget('bare-answers', { payload: answers });
  try {
    const loadOf = (list: ListRequests) => ({
      url: originOf(list),
      headers: list.caller.headers,
      requests: list.requests,
    });
    for (const list of lists) await measure(loadOf(list), { ...settings, seconds: 1 });

    const rows: Row[] = lists.map(({ name }) => ({ name, ours: [], bare: [] }));
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      for (const [index, list] of lists.entries()) {
        rows[index]?.ours.push(await measure(loadOf(list), settings));
        rows[index]?.bare.push(await measure({ url: `${bare.origin}/${index}` }, settings));
      }
      process.stderr.write(`round ${round} of ${options.rounds}\n`);
    }
    process.stdout.write(`${HEADING}\n${rows.map(renderRow).join('\n')}\n`);
  } finally {
    target.process.disconnect();
    admin.process.disconnect();
    bare.process.disconnect();
  }
}

const HEADING = `| Request | requests/s | p50 ms | p99 ms | bare p99 ms |
|---|---:|---:|---:|---:|`;

function renderRow({ name, ours, bare }: Row): string {
  const middle = (values: Measurement[], of: (one: Measurement) => number) => median(values.map(of));
  const perSecond = Math.round(middle(ours, (one) => one.requestsPerSecond)).toLocaleString('en');
  const [p50, p99] = [middle(ours, (one) => one.p50Ms), middle(ours, (one) => one.p99Ms)];
  return `| ${name} | ${perSecond} | ${p50} | ${p99} | ${middle(bare, (one) => one.p99Ms)} |`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  // The started services end with this process.
  process.exit(1);
});
