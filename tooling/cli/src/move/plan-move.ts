import { dummyHash, hashPassword } from '@gatehouse/auth-core';
import { createImportForecast } from '@gatehouse/db/queries/create-import-forecast';
import { createPartnerForecast } from '@gatehouse/features/partner/add-partner';
import type { CommandContext } from '../command.js';
import { holdsSecret } from '../holds-secret.js';
import { forecastBatch, isAdded } from '../import/import-batch.js';
import type { RecordOutcome } from '../import/in-kind-order.js';
import { operatorAudit } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { rolesIn } from '../with-database.js';
import { describeRow } from './describe-row.js';
import { placesIn } from './move-map.js';
import type { MovedKindName } from './moved-kinds.js';
import { countMoved, readMovedRows } from './read-moved-rows.js';
import type { MoveInput } from './run-move.js';
import type { MovedRow } from './to-moved-row.js';
import { findSlowReads, listUnfilled, listUnmoved } from './unmoved.js';

interface Tally {
  rows: number;
  new: number;
  there: number;
  problems: number;
  leftOut: number;
  readonly passwords: { kept: number; hashed: number; wrapped: number; none: number };
}

/** Rows that two cores write in a second, as docs/importing.md measured them. */
const WRITTEN_A_SECOND = 1_000;

/**
 * Reports for each table, and for each row that would not be moved, what a move would do. Writes nothing. It keeps the keys of
 * the rows that would be moved in memory.
 * @returns the exit code: 1 while a row would not be moved
 */
export async function planMove(
  context: CommandContext,
  {
    db,
    old,
    map,
    arePlain,
    accepted,
    isConfirmedProven,
  }: Pick<MoveInput, 'db' | 'old' | 'map' | 'arePlain' | 'accepted' | 'isConfirmedProven'>,
): Promise<number> {
  const { say, draw } = context;
  const tables = await old.listTables();
  for (const grant of await old.listWritingGrants())
    say(
      `The user may do more than read: ${printableGrant(grant)}. Reading is all that is done; give it a user with SELECT alone.`,
    );
  for (const fault of findSlowReads(tables, map)) say(`Slow: ${fault}.`);
  const counts = await countMoved(old, map);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const progress = createProgressBar({ title: 'rows', total, draw, say: draw });
  const forecast = createForecast(context, { db, isConfirmedProven });
  const reading = {
    map,
    arePlain,
    accepted,
    roles: rolesIn(context),
    isOurSecret: (text: string) => holdsSecret(context.env, text),
  };
  const good = new Map<MovedKindName, Set<string>>();
  const tallies = new Map<MovedKindName, Tally>();
  for (const { kind } of placesIn(map)) {
    const tally = newTally();
    const known = new Set<string>();
    for await (const rows of readMovedRows(old, kind, reading)) {
      const outcomes = await forecast(rows, good);
      for (const [at, row] of rows.entries()) {
        const outcome = outcomes[at] ?? 'there';
        count(tally, row, outcome);
        if (typeof outcome !== 'object') known.add(row.key);
        for (const line of linesAbout(row, outcome)) say(line);
      }
      progress.advance(rows.length);
    }
    good.set(kind, known);
    tallies.set(kind, tally);
  }
  for (const { kind, place } of placesIn(map))
    say(describeTally(kind, place.table, tallies.get(kind) ?? newTally()));
  say('What does not come:');
  for (const line of listUnmoved(tables, map)) say(`  ${line}`);
  const unfilled = listUnfilled(tables, map);
  if (unfilled.length > 0) say('What could not go back:');
  for (const line of unfilled) say(`  ${line}`);
  say(await estimate([...tallies.values()]));
  say('Nothing was written.');
  return [...tallies.values()].every(({ problems, leftOut }) => problems + leftOut === 0) ? 0 : 1;
}

/** Predicts the outcome for rows of one kind. Rows that need one that is not moved are left out. */
function createForecast(
  context: CommandContext,
  { db, isConfirmedProven }: Pick<MoveInput, 'db' | 'isConfirmedProven'>,
) {
  const audit = operatorAudit(context);
  const imports = {
    ...createImportForecast(db),
    isConfirmedProven,
    partner: createPartnerForecast({ ...audit, db, nowMs: Date.now(), actorId: null }),
  };
  return async (
    rows: readonly MovedRow[],
    good: ReadonlyMap<MovedKindName, ReadonlySet<string>>,
  ): Promise<RecordOutcome[]> => {
    const first = rows.map((row): RecordOutcome | undefined => {
      if (row.problem !== undefined) return { problem: row.problem };
      const missing = row.needs.find(([kind, key]) => good.get(kind)?.has(key) !== true);
      return missing === undefined ? undefined : { needs: describeRow(...missing) };
    });
    const records = rows.flatMap((row, at) =>
      first[at] === undefined && row.record?.is === 'imported' ? [row.record.record] : [],
    );
    const imported = await forecastBatch(imports, records, new Set());
    return rows.map(
      (row, at) => first[at] ?? (row.record?.is === 'imported' ? (imported.shift() ?? 'there') : 'added'),
    );
  };
}

const newTally = (): Tally => ({
  rows: 0,
  new: 0,
  there: 0,
  problems: 0,
  leftOut: 0,
  passwords: { kept: 0, hashed: 0, wrapped: 0, none: 0 },
});

function count(tally: Tally, { password }: MovedRow, outcome: RecordOutcome): void {
  tally.rows += 1;
  if (isAdded(outcome)) {
    tally.new += 1;
    tally.passwords[password] += 1;
  } else if (outcome === 'there') tally.there += 1;
  else if ('problem' in outcome) tally.problems += 1;
  else tally.leftOut += 1;
}

/** The sentence about a row that is not moved, or not unchanged. */
function linesAbout({ kind, key, notes }: MovedRow, outcome: RecordOutcome): string[] {
  const named = describeRow(kind, key);
  if (typeof outcome === 'object' && 'problem' in outcome) return [`${named}: ${outcome.problem}`];
  if (typeof outcome === 'object' && 'needs' in outcome)
    return [`${named}: left out, because ${outcome.needs} does not come`];
  return isAdded(outcome) ? notes.map((note) => `${named}: ${note}`) : [];
}

function describeTally(kind: MovedKindName, table: string, tally: Tally): string {
  const { kept, hashed, wrapped, none } = tally.passwords;
  const passwords =
    kind === 'members'
      ? `; passwords: ${kept} hashes kept, ${wrapped} of low cost wrapped, ${hashed} in plain text hashed, ${none} without`
      : '';
  return `${kind} (table ${table}): ${tally.rows} rows: ${tally.new} would be added, ${tally.there} are there, ${tally.problems} with a problem, ${tally.leftOut} left out because of them${passwords}`;
}

async function estimate(tallies: readonly Tally[]): Promise<string> {
  const rows = tallies.reduce((sum, tally) => sum + tally.new, 0);
  const hashes = tallies.reduce((sum, { passwords }) => sum + passwords.hashed + passwords.wrapped, 0);
  const hashesASecond = hashes === 0 ? 0 : await measureHashes();
  const seconds = rows / WRITTEN_A_SECOND + (hashes === 0 ? 0 : hashes / hashesASecond);
  const hashing =
    hashes === 0
      ? ''
      : `${hashes} passwords to hash, ${Math.round(hashesASecond)} a second on this machine, and `;
  return `It takes about ${duration(seconds)}: ${hashing}${rows} rows to write, about ${WRITTEN_A_SECOND} a second.`;
}

/** Passwords hashed at once, as an import does it. */
const AT_ONCE = 8;

async function measureHashes(): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => hashPassword(dummyHash)));
  return (AT_ONCE * 1_000) / (performance.now() - startedAt);
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** The grant without a password or its hash. */
const printableGrant = (grant: string): string => grant.replace(/ IDENTIFIED .*$/, '');
