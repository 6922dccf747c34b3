import type { Database } from '@gatehouse/db/database';
import {
  insertSigningKey,
  listSigningKeys,
  promoteSigningKey,
  retireSigningKey,
  type SigningKeyRow,
} from '@gatehouse/db/queries/signing-keys';
import type { SigningAlgorithm } from '@gatehouse/db/tables/access-token-tables';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import {
  isPublished,
  makeSigningKey,
  PUBLISHED_BEFORE_MS,
  retiredUnpublished,
  signingKeyAmong,
} from '@gatehouse/features/core/access/signing-keys';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { dataCipherIn, operatorAudit } from '../operator-audit.js';
import { withDatabase } from '../with-database.js';

const USAGE =
  'usage: gatehouse keys list | add [--algorithm ES256] | promote <kid> [--now] | retire <kid> [--now]';
const ALGORITHMS: readonly SigningAlgorithm[] = ['ES256', 'RS256'];
const HOUR_MS = 3_600_000;

/** The keys at `/oauth/jwks`. */
export const keys = defineCommand({
  name: 'keys',
  summary: 'list, add, promote or retire the keys that sign access tokens for other APIs',
  usage: ['list', 'add [--algorithm <ES256|RS256>]', 'promote <kid> [--now]', 'retire <kid> [--now]'],
  words: { least: 1, most: 2 },
  options: {
    algorithm: { type: 'string', value: '<name>', default: 'ES256', about: 'ES256, or RS256' },
    now: { type: 'boolean', default: false, about: 'do not wait for caches of others' },
  },
  async run(context, { values, positionals: [action, kid] }) {
    const isNow = values.now;
    const algorithm = ALGORITHMS.find((each) => each === values.algorithm);
    if (action === 'list' && kid === undefined) return withDatabase(context, (db) => list(context, db));
    if (action === 'add' && kid === undefined && algorithm !== undefined)
      return withDatabase(context, (db) => add(context, db, algorithm));
    if (action === 'promote' && kid !== undefined)
      return withDatabase(context, (db) => promote(context, db, { kid, isNow }));
    if (action === 'retire' && kid !== undefined)
      return withDatabase(context, (db) => retire(context, db, { kid, isNow }));
    context.say(USAGE);
    return 2;
  },
});

async function list({ say }: CommandContext, db: Database): Promise<number> {
  const rows = await listSigningKeys(db);
  if (rows.length === 0) say('There are no keys yet: a service makes the first when it needs one.');
  for (const row of rows) say(`${row.kid} ${row.algorithm} ${stateOf(rows, row)}`);
  return 0;
}

function stateOf(rows: readonly SigningKeyRow[], row: SigningKeyRow): string {
  if (signingKeyAmong(rows, row.algorithm)?.id === row.id) return 'signs';
  if (!isPublished(row, Date.now())) return 'retired';
  return row.retiredAtMs === null
    ? `published since ${dateOf(row.createdAtMs)}`
    : `stopped ${dateOf(row.retiredAtMs)}`;
}

async function add(context: CommandContext, db: Database, algorithm: SigningAlgorithm): Promise<number> {
  const row = await makeSigningKey(dataCipherIn(context.env), algorithm, { nowMs: Date.now(), signs: false });
  await db.transaction(async (tx) => {
    await insertSigningKey(tx, row);
    await record(context, tx, { action: 'signing-key.added', ...row });
  });
  context.say(
    `${row.kid} is published. Promote it from ${dateOf(row.createdAtMs + PUBLISHED_BEFORE_MS)} on.`,
  );
  return 0;
}

interface Choice {
  readonly kid: string;
  readonly isNow: boolean;
}

async function promote(context: CommandContext, db: Database, { kid, isNow }: Choice): Promise<number> {
  const { say } = context;
  const rows = await listSigningKeys(db);
  const row = rows.find((each) => each.kid === kid);
  const nowMs = Date.now();
  if (row === undefined || row.retiredAtMs !== null) return refuse(say, `There is no published key ${kid}.`);
  if (signingKeyAmong(rows, row.algorithm)?.id === row.id) return refuse(say, `${kid} signs already.`);
  const fromMs = row.createdAtMs + PUBLISHED_BEFORE_MS;
  if (nowMs < fromMs && !isNow) {
    const why = `APIs that read the keys before it was added would refuse its tokens. Promote it from ${dateOf(fromMs)} on`;
    return refuse(say, `${why}, or with --now.`);
  }
  await db.transaction(async (tx) => {
    await promoteSigningKey(tx, { kid, algorithm: row.algorithm, nowMs });
    await record(context, tx, { action: 'signing-key.promoted', ...row });
  });
  if (nowMs < fromMs)
    say('APIs that have not read the keys since it was added refuse its tokens until they do.');
  say(`${kid} signs within ten seconds. The one before stays published for 25 hours.`);
  return 0;
}

async function retire(context: CommandContext, db: Database, { kid, isNow }: Choice): Promise<number> {
  const { say } = context;
  const rows = await listSigningKeys(db);
  const row = rows.find((each) => each.kid === kid);
  const nowMs = Date.now();
  if (row === undefined || !isPublished(row, nowMs)) return refuse(say, `There is no published key ${kid}.`);
  if (signingKeyAmong(rows, row.algorithm)?.id === row.id)
    return refuse(say, `${kid} signs. Promote another one first.`);
  const isInUse = row.retiredAtMs !== null;
  if (isInUse && !isNow) {
    const hours = Math.ceil((row.retiredAtMs - retiredUnpublished(nowMs)) / HOUR_MS);
    return refuse(
      say,
      `It stays published for ${hours} hours, for tokens that it signed. With --now they are refused.`,
    );
  }
  await db.transaction(async (tx) => {
    await retireSigningKey(tx, { kid, atMs: retiredUnpublished(nowMs) });
    await record(context, tx, { action: 'signing-key.retired', ...row });
  });
  say(`${kid} is published no more. APIs may keep it for five minutes.`);
  return 0;
}

/** Writes a change of a key into the audit log, as one of the operator. */
function record(
  context: CommandContext,
  tx: Database,
  { action, kid, algorithm }: Pick<SigningKeyRow, 'kid' | 'algorithm'> & { readonly action: string },
): Promise<void> {
  const line = { action, subjectKind: 'signing-key', subjectId: kid, after: { algorithm } };
  return recordAudit(tx, operatorAudit(context), { atMs: Date.now(), ...line });
}

function refuse(say: CommandContext['say'], sentence: string): number {
  say(sentence);
  return 1;
}

const dateOf = (atMs: number) => new Date(atMs).toISOString();
