import type { Database } from '@gatehouse/db/database';
import { createImportForecast } from '@gatehouse/db/queries/create-import-forecast';
import { isKeyOfDatabase } from '@gatehouse/features/audit/member-cipher';
import { createPartnerForecast } from '@gatehouse/features/partner/add-partner';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { dataCipherIn, operatorAudit } from '../operator-audit.js';
import { rolesIn } from '../with-database.js';
import { forecastBatch, importBatch, isAdded } from './import-batch.js';
import type { ImportRecord, RecordKind } from './import-record.js';
import type { RecordOutcome } from './in-kind-order.js';

/** How many lines one transaction takes. */
export const LINES_AT_ONCE = 100;

/** A line of a file, with its records. */
export interface ImportLine {
  /** The name of the line for the operator: `line 12`. */
  readonly where: string;
  /** Its records; the line is imported if all of them are. None if all of it exists already. */
  readonly records: readonly ImportRecord[];
  /** What it is, in words. */
  readonly title?: string | undefined;
  /** Why it is refused. */
  readonly problem?: string | undefined;
  /** The line on which it depends, by its name, and what to say if there is no such line. */
  readonly needs?: { readonly name: string; readonly problem: string } | undefined;
  /** The names by which other lines refer to it. */
  readonly names?: readonly string[] | undefined;
}

/** Records with a secret that is encrypted. */
const SEALED: ReadonlySet<RecordKind> = new Set(['totp', 'partner']);

/** Lines that are written together. */
export interface Portion {
  readonly lines: readonly ImportLine[];
  /** How much of the input it takes, in the unit of the progress. */
  readonly read: number;
}

interface Run extends CommandContext {
  readonly isDry: boolean;
  readonly isConfirmedProven: boolean;
  advance(read: number): void;
}

/** A line that could not be imported, and how many later lines depend on it. */
interface BadLine {
  readonly where: string;
  readonly order: number;
  readonly name: string;
  dependants: number;
}

/**
 * Imports lines, some of them in each transaction, and reports the result to the operator. The next lines are read once the
 * previous ones are written.
 * @returns the exit code: 1 if a line has a problem
 */
export async function importLines(db: Database, portions: AsyncIterable<Portion>, run: Run): Promise<number> {
  const { say, isDry, isConfirmedProven, advance } = run;
  const counts = { added: 0, there: 0, problems: 0, leftOut: 0 };
  const roles = rolesIn(run);
  const audit = operatorAudit(run);
  const forecast = {
    ...createImportForecast(db),
    isConfirmedProven,
    partner: createPartnerForecast({ ...audit, db, nowMs: Date.now(), actorId: null }),
  };
  const bad = new Map<string, BadLine>();
  let isKeyKnown = false;
  // In a dry run too, so that it fails as the import would.
  const requireKey = async () => {
    isKeyKnown ||= await isKeyOfDatabase({ db, cipher: dataCipherIn(run.env) });
    if (!isKeyKnown)
      throw new CommandError(
        'DATA_ENCRYPTION_KEY is not the one of the services on this database: under it, authenticator apps and secrets of partners would not work.',
      );
  };
  const settle = async (records: readonly ImportRecord[]): Promise<RecordOutcome[]> => {
    const names = new Set(bad.keys());
    if (records.some(({ kind }) => SEALED.has(kind))) await requireKey();
    return isDry
      ? forecastBatch(forecast, records, names)
      : importBatch({ db, audit, roles, isConfirmedProven, nowMs: Date.now() }, records, names);
  };
  let before = 0;
  const addBad = ({ where, names = [] }: ImportLine, at: number) => {
    const order = before + at;
    const [name = ''] = names;
    const root = { where, order, name, dependants: 0 };
    for (const each of names) if (!bad.has(each)) bad.set(each, root);
  };
  const follow = ({ names = [] }: ImportLine, needed: string) => {
    const root = bad.get(needed);
    if (root !== undefined) for (const each of names) if (!bad.has(each)) bad.set(each, root);
  };
  const withoutRecords = ({ problem, needs: needed }: ImportLine): RecordOutcome[] => {
    if (problem !== undefined) return [{ problem }];
    if (needed === undefined) return [];
    return [bad.has(needed.name) ? { needs: needed.name } : { problem: needed.problem }];
  };
  const tell = ({ where, records, title }: ImportLine, outcomes: readonly RecordOutcome[]) => {
    const outcome = outcomeOf(outcomes);
    if (outcome === 'there' || isAdded(outcome)) {
      counts[outcome === 'there' ? 'there' : 'added'] += 1;
      const [record] = records;
      if (typeof outcome === 'object' && 'secretKey' in outcome && record !== undefined)
        say(`${where}: ${title} is added. Its secretKey, shown only now: ${outcome.secretKey}`);
      if (isDry)
        say(`${where}: ${title} ${outcome === 'there' ? 'is there, and stays as it is' : 'would be added'}`);
    } else if ('problem' in outcome) {
      counts.problems += 1;
      say(`${where}: ${outcome.problem}`);
    } else {
      counts.leftOut += 1;
      const root = bad.get(outcome.needs);
      if (root !== undefined) root.dependants += 1;
    }
  };

  for await (const { lines, read } of portions) {
    for (const [at, line] of lines.entries()) if (line.problem !== undefined) addBad(line, at);
    const outcomes = await settle(lines.flatMap(({ records }) => records));
    const settled = lines.map((line) => ({
      line,
      outcomes: line.records.length > 0 ? outcomes.splice(0, line.records.length) : withoutRecords(line),
    }));
    // A problem with a way to sign in is not a problem of the person.
    for (const [at, { line, outcomes: own }] of settled.entries())
      if (line.records.some(({ kind }, place) => isNamed(kind) && isProblem(own[place]))) addBad(line, at);
    // A skipped account points to the line that caused it.
    for (const { line, outcomes: own } of settled) {
      const needed = needs(outcomeOf(own));
      if (needed !== undefined) follow(line, needed);
    }
    for (const { line, outcomes: own } of settled) tell(line, own);
    before += lines.length;
    advance(read);
  }

  const roots = [...new Set(bad.values())].sort((one, other) => one.order - other.order);
  for (const { where, name, dependants } of roots)
    if (dependants > 0) say(`${where}: ${dependants} more left out, because they name ${name}`);
  say(
    isDry
      ? `Nothing was written. ${counts.added} would be added, ${counts.there} are there, ${counts.problems} lines with a problem, ${counts.leftOut} left out because of them.`
      : `${counts.added} added, ${counts.there} were there before, ${counts.problems} lines with a problem, ${counts.leftOut} left out because of them.`,
  );
  return counts.problems === 0 ? 0 : 1;
}

/** The result of a line: its first problem, or else whether anything of it was added. */
function outcomeOf(outcomes: readonly RecordOutcome[]): RecordOutcome {
  return (
    outcomes.find(isProblem) ??
    outcomes.find((outcome) => needs(outcome) !== undefined) ??
    outcomes.find(isAdded) ??
    'there'
  );
}

/** Whether other lines can refer to a record. */
const isNamed = (kind: ImportRecord['kind']): boolean =>
  kind === 'member' || kind === 'account' || kind === 'foreignId';

const isProblem = (outcome: RecordOutcome | undefined): boolean =>
  typeof outcome === 'object' && 'problem' in outcome;

const needs = (outcome: RecordOutcome): string | undefined =>
  typeof outcome === 'object' && 'needs' in outcome ? outcome.needs : undefined;
