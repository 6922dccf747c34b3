import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMovedRows } from '@gatehouse/db/queries/moved-rows';
import type { ReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import type { CommandContext } from '../command.js';
import { holdsSecret } from '../holds-secret.js';
import { type ImportContext, isAdded } from '../import/import-batch.js';
import { dataCipherIn, operatorAudit } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { rolesIn } from '../with-database.js';
import { describeRow } from './describe-row.js';
import { type MoveMap, placesIn } from './move-map.js';
import type { MovedKindName } from './moved-kinds.js';
import { countMoved, readMovedRows } from './read-moved-rows.js';
import type { MovedRow } from './to-moved-row.js';
import {
  addMovedRows,
  type ChangedRow,
  changeMovedRows,
  type WritableRow,
  type WrittenOutcome,
} from './write-moved-rows.js';

/** Rows of one transaction. */
const ROWS_AT_ONCE = 100;

interface Tally {
  added: number;
  there: number;
  changed: number;
  same: number;
  problems: number;
  leftOut: number;
}

/** What a move needs. */
export interface MoveInput {
  readonly db: Database;
  readonly old: ReplacedDatabase;
  readonly map: MoveMap;
  /** Whether the operator says that stored texts that are not hashes are passwords. */
  readonly arePlain: boolean;
  /** The members whose plain password the operator has reviewed. */
  readonly accepted: ReadonlySet<number>;
  /** Whether the owner of a confirmed address is known to be the person who registered the member. */
  readonly isConfirmedProven: boolean;
}

/**
 * Moves the rows of the replaced system: new ones, and those that changed there since they were moved. Each hundred is one
 * transaction that also stores the digests of the rows, so it may be stopped at any point and run again.
 * @returns the exit code: 1 while a row was not moved
 */
export async function runMove(context: CommandContext, input: MoveInput): Promise<number> {
  const { say, draw } = context;
  const { db, old, map, arePlain, accepted, isConfirmedProven } = input;
  const cipher = dataCipherIn(context.env);
  const roles = rolesIn(context);
  const isOurSecret = (text: string) => holdsSecret(context.env, text);
  const counts = await countMoved(old, map);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const progress = createProgressBar({ title: 'rows', total, draw, say });
  const tallies: { kind: MovedKindName; tally: Tally }[] = [];
  for (const { kind } of placesIn(map)) {
    const tally: Tally = { added: 0, there: 0, changed: 0, same: 0, problems: 0, leftOut: 0 };
    for await (const rows of readMovedRows(old, kind, { map, arePlain, accepted, roles, isOurSecret })) {
      const nowMs = Date.now();
      const importing: ImportContext = { db, audit: operatorAudit(context), roles, isConfirmedProven, nowMs };
      for (const { row, outcome } of await bringRows(importing, cipher, kind, rows)) {
        count(tally, outcome);
        for (const line of linesAbout(row, outcome)) say(line);
      }
      progress.advance(rows.length);
    }
    tallies.push({ kind, tally });
  }
  for (const { kind, tally } of tallies)
    say(
      `${kind}: ${tally.added} added, ${tally.changed} changed, ${tally.same + tally.there} as they were, ${tally.problems} with a problem, ${tally.leftOut} left out because of them`,
    );
  return tallies.every(({ tally }) => tally.problems + tally.leftOut === 0) ? 0 : 1;
}

interface Brought {
  readonly row: MovedRow;
  readonly outcome: WrittenOutcome | 'same';
}

async function bringRows(
  context: ImportContext,
  cipher: DataCipher,
  kind: MovedKindName,
  rows: readonly MovedRow[],
): Promise<Brought[]> {
  const { db } = context;
  const known = await findMovedRows(
    db,
    kind,
    rows.map(({ key }) => key),
  );
  const isMissing = await findMissing(db, rows);
  const outcomes = new Map<MovedRow, WrittenOutcome | 'same'>();
  const fresh: (WritableRow & { row: MovedRow })[] = [];
  const changed: (ChangedRow & { row: MovedRow })[] = [];
  for (const row of rows) {
    const { key, record, problem } = row;
    const missing = row.needs.find(isMissing);
    if (problem !== undefined || record === undefined)
      outcomes.set(row, { problem: problem ?? 'cannot be read' });
    else if (missing !== undefined) outcomes.set(row, { needs: describeRow(...missing) });
    else {
      const digests = cipher.digests(JSON.stringify(record), `movedRow:${kind}:${key}`);
      const before = known.get(key);
      if (before === undefined) fresh.push({ key, record, digest: digests[0], row });
      else if (digests.includes(before.digest)) outcomes.set(row, 'same');
      else changed.push({ key, record, digest: digests[0], broughtAtMs: before.broughtAtMs, row });
    }
  }
  const bring = async <Row extends { row: MovedRow }>(
    all: readonly Row[],
    write: (portion: readonly Row[]) => Promise<WrittenOutcome[]>,
  ) => {
    for (let at = 0; at < all.length; at += ROWS_AT_ONCE) {
      const portion = all.slice(at, at + ROWS_AT_ONCE);
      const written = await write(portion);
      for (const [place, { row }] of portion.entries()) outcomes.set(row, written[place] ?? 'there');
    }
  };
  await bring(fresh, (portion) => addMovedRows(context, kind, portion));
  await bring(changed, (portion) => changeMovedRows(context, kind, portion));
  return rows.map((row) => ({ row, outcome: outcomes.get(row) ?? 'same' }));
}

/** Says which of the rows that these refer to were not moved. */
async function findMissing(db: Database, rows: readonly MovedRow[]) {
  const needs = rows.flatMap((row) => row.needs);
  const moved = new Map<MovedKindName, ReadonlyMap<string, unknown>>();
  for (const kind of new Set(needs.map(([needed]) => needed))) {
    const keys = needs.flatMap(([needed, key]) => (needed === kind ? [key] : []));
    moved.set(kind, await findMovedRows(db, kind, keys));
  }
  return ([kind, key]: MovedRow['needs'][number]) => moved.get(kind)?.has(key) !== true;
}

function count(tally: Tally, outcome: WrittenOutcome | 'same'): void {
  if (outcome === 'same' || outcome === 'there' || outcome === 'changed') tally[outcome] += 1;
  else if (isAdded(outcome)) tally.added += 1;
  else if ('problem' in outcome) tally.problems += 1;
  else tally.leftOut += 1;
}

function linesAbout({ kind, key, notes }: MovedRow, outcome: WrittenOutcome | 'same'): string[] {
  const named = describeRow(kind, key);
  if (outcome === 'added') return notes.map((note) => `${named}: ${note}`);
  if (typeof outcome !== 'object') return [];
  if ('secretKey' in outcome)
    return [`${named}: came without a secretKey. The one it gets, shown only now: ${outcome.secretKey}`];
  if ('problem' in outcome) return [`${named}: ${outcome.problem}`];
  return [`${named}: left out, because ${outcome.needs} did not come`];
}
