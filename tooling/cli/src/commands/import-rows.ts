import type { Database } from '@gatehouse/db/database';
import { createImportForecast } from '@gatehouse/db/queries/create-import-forecast';
import { createPartnerForecast } from '@gatehouse/features/partner/add-partner';
import type { TextLine } from '@gatehouse/runtime/text/read-lines';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { holdsSecret } from '../holds-secret.js';
import { forecastBatch, importBatch, isAdded } from '../import/import-batch.js';
import type { ImportRecord } from '../import/import-record.js';
import { readRecord } from '../import/import-record.js';
import { describeRecord, nameOf, type RecordOutcome } from '../import/in-kind-order.js';
import { operatorAudit } from '../operator-audit.js';
import { createProgressBar, createProgressCount } from '../progress-bar.js';
import { countLines, readList, readNumbers } from '../read-list.js';
import { rolesIn, withDatabase } from '../with-database.js';

/** Lines per transaction. */
const LINES_AT_ONCE = 100;

export const importRows = defineCommand({
  name: 'import',
  summary:
    'bring members, accounts, who is in which, and partners from another system, from a file of JSON lines',
  usage: [
    '[--dry-run] [--no-confirmed-is-proven] [--accept-lines <file>] <file, or - for standard input>; see docs/importing.md',
  ],
  words: { least: 1, most: 1 },
  options: {
    'dry-run': {
      type: 'boolean',
      default: false,
      about: 'say of each line what would become of it, and write nothing',
    },
    'confirmed-is-proven': {
      type: 'boolean',
      default: true,
      about:
        'who confirmed an address there is known to own the member; --no-confirmed-is-proven where a click on a link confirmed it',
    },
    'accept-lines': {
      type: 'string',
      value: '<file>',
      about: 'the numbers of the lines whose plain password looks like a hash and is none, one a line',
    },
  },
  async run(context, { values, positionals: [named = '-'] }) {
    const total = named === '-' ? undefined : await countLines(context, named);
    const accepted = await readNumbers(context, values['accept-lines']);
    const { draw, say } = context;
    return withDatabase(context, async (db) => {
      const progress =
        total === undefined
          ? createProgressCount({ title: 'lines', draw })
          : createProgressBar({ title: 'lines', total, draw, say });
      const run = {
        ...context,
        advance: progress.advance,
        accepted,
        isDry: values['dry-run'],
        isConfirmedProven: values['confirmed-is-proven'],
      };
      return importLines(db, readList(context, named), run);
    });
  },
});

interface Run extends CommandContext {
  readonly isDry: boolean;
  readonly isConfirmedProven: boolean;
  /** The lines whose plain password the operator has looked at. */
  readonly accepted: ReadonlySet<number>;
  advance(lines: number): void;
}

interface Line {
  readonly number: number;
  readonly record?: ImportRecord | undefined;
  readonly problem?: string | undefined;
  /** The name by which other lines refer to its record. */
  readonly name?: string | undefined;
}

/** A line that could not be imported, and how many later lines depend on it. */
interface BadLine {
  readonly number: number;
  readonly name: string;
  dependants: number;
}

async function importLines(db: Database, lines: AsyncIterable<TextLine>, run: Run): Promise<number> {
  const { say, isDry, isConfirmedProven, accepted, advance } = run;
  const counts = { added: 0, there: 0, problems: 0, leftOut: 0 };
  const roles = rolesIn(run);
  const isOurSecret = (text: string) => holdsSecret(run.env, text);
  const audit = operatorAudit(run);
  const forecast = {
    ...createImportForecast(db),
    partner: createPartnerForecast({ ...audit, db, nowMs: Date.now(), actorId: null }),
  };
  const bad = new Map<string, BadLine>();
  const settle = (records: readonly ImportRecord[]): Promise<RecordOutcome[]> => {
    const names = new Set(bad.keys());
    return isDry
      ? forecastBatch(forecast, records, names)
      : importBatch({ db, audit, roles, isConfirmedProven, nowMs: Date.now() }, records, names);
  };

  let batch: Line[] = [];
  let read = 0;
  const flush = async () => {
    for (const line of batch) if (line.problem !== undefined) addBad(line);
    const outcomes = await settle(batch.flatMap(({ record }) => record ?? []));
    const settled = batch.map((line) => ({
      line,
      outcome: line.record === undefined ? { problem: line.problem ?? '' } : (outcomes.shift() ?? 'there'),
    }));
    for (const { line, outcome } of settled) if (isProblem(outcome)) addBad(line);
    // A skipped account points to the line that caused it.
    for (const { line, outcome } of settled) if (needs(outcome) !== undefined) follow(line, needs(outcome));
    for (const { line, outcome } of settled) tell(line, outcome);
    advance(read);
    [batch, read] = [[], 0];
  };
  const addBad = ({ number, name }: Line) => {
    if (name !== undefined && !bad.has(name)) bad.set(name, { number, name, dependants: 0 });
  };
  const follow = ({ name }: Line, needed = '') => {
    const root = bad.get(needed);
    if (root !== undefined && name !== undefined && !bad.has(name)) bad.set(name, root);
  };
  const tell = ({ number, record }: Line, outcome: RecordOutcome) => {
    if (outcome === 'there' || isAdded(outcome)) {
      counts[outcome === 'there' ? 'there' : 'added'] += 1;
      if (typeof outcome === 'object' && 'secretKey' in outcome && record !== undefined)
        say(
          `line ${number}: ${describeRecord(record)} is added. Its secretKey, shown only now: ${outcome.secretKey}`,
        );
      if (isDry && record !== undefined)
        say(
          `line ${number}: ${describeRecord(record)} ${outcome === 'there' ? 'is there, and stays as it is' : 'would be added'}`,
        );
    } else if ('problem' in outcome) {
      counts.problems += 1;
      say(`line ${number}: ${outcome.problem}`);
    } else {
      counts.leftOut += 1;
      const root = bad.get(outcome.needs);
      if (root !== undefined) root.dependants += 1;
    }
  };

  for await (const { number, text, problem } of lines) {
    read += 1;
    if (text?.trim() === '') continue;
    const record =
      text === undefined
        ? { problem }
        : readRecord(text, roles, { isAccepted: accepted.has(number), isOurSecret });
    batch.push('problem' in record ? { number, ...record } : { number, record, name: nameOf(record) });
    if (batch.length === LINES_AT_ONCE) await flush();
  }
  if (read > 0) await flush();

  const roots = [...new Set(bad.values())].sort((one, other) => one.number - other.number);
  for (const { number: at, name, dependants } of roots)
    if (dependants > 0) say(`line ${at}: ${dependants} more left out, because they name ${name}`);
  say(
    isDry
      ? `Nothing was written. ${counts.added} would be added, ${counts.there} are there, ${counts.problems} lines with a problem, ${counts.leftOut} left out because of them.`
      : `${counts.added} added, ${counts.there} were there before, ${counts.problems} lines with a problem, ${counts.leftOut} left out because of them.`,
  );
  return counts.problems === 0 ? 0 : 1;
}

const isProblem = (outcome: RecordOutcome): boolean => typeof outcome === 'object' && 'problem' in outcome;

const needs = (outcome: RecordOutcome): string | undefined =>
  typeof outcome === 'object' && 'needs' in outcome ? outcome.needs : undefined;
