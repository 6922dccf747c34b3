import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { importExport } from '../export/import-export.js';
import { holdsSecret } from '../holds-secret.js';
import { FOREIGN_KINDS, findForeignReader } from '../import/foreign-kinds.js';
import type { ForeignLine } from '../import/foreign-line.js';
import { type ImportLine, importLines, LINES_AT_ONCE, type Portion } from '../import/import-lines.js';
import { readRecord } from '../import/import-record.js';
import { describeRecord, nameOf } from '../import/in-kind-order.js';
import { type OpenedFiles, openForeignFiles } from '../import/open-foreign-files.js';
import { EVERY_OTHER, readRoleMap } from '../import/read-role-map.js';
import { createForeignResolver, highest } from '../import/resolve-foreign-lines.js';
import { createProgressBar, createProgressCount } from '../progress-bar.js';
import { countLines, readList, readNumbers } from '../read-list.js';
import { readRpId } from '../read-rp-id.js';
import { rolesIn, withDatabase } from '../with-database.js';

/** How many files an import from another system takes at most. */
const MAX_FILES = 9;

export const importRows = defineCommand({
  name: 'import',
  summary:
    'bring members, accounts, who is in which, and partners from another system, from a file of JSON lines or from what it exports',
  usage: [
    '[--dry-run] [--no-confirmed-is-proven] [--wrap-weak] [--accept-lines <file>] <file, or - for standard input>; see docs/importing.md',
    '--from <kind> [--dry-run] [--confirmed-is-proven] [--wrap-weak] [--source <name>] [--map <file>] [--hash-config <file>] [--merge confirmed] <file> ...',
    '--from gatehouse [--dry-run] [--key-file <file>] <folder>; see docs/exporting.md',
  ],
  words: { least: 1, most: MAX_FILES },
  options: {
    from: {
      type: 'string',
      value: '<kind>',
      about: `the system that the files were exported from: ${Object.keys(FOREIGN_KINDS).join(', ')}; or gatehouse, for the folder of an export`,
    },
    source: {
      type: 'string',
      value: '<name>',
      about: 'the name under which the ids of that system are kept; the kind without it',
    },
    map: {
      type: 'string',
      value: '<file>',
      about: 'which role here stands for which there, as lines "role there: role here" or a JSON object',
    },
    'hash-config': {
      type: 'string',
      value: '<file>',
      about: 'the parameters of the hashes of passwords, as the console of Firebase shows them',
    },
    merge: {
      type: 'string',
      value: 'confirmed',
      about:
        'join people with members who have their address, where both sides have confirmed it; needs --confirmed-is-proven',
    },
    'key-file': {
      type: 'string',
      value: '<file>',
      about: 'the key that gatehouse export printed, for an export with secrets',
    },
    'dry-run': {
      type: 'boolean',
      default: false,
      about: 'say of each line what would become of it, and write nothing',
    },
    'confirmed-is-proven': {
      type: 'boolean',
      about:
        'who confirmed an address there is known to own the member: so for a file of JSON lines, not so with --from; --no-confirmed-is-proven where a click on a link confirmed it',
    },
    'wrap-weak': {
      type: 'boolean',
      default: false,
      about: 'take MD5, SHA-1 and SHA-256 digests of passwords, inside of bcrypt until their owners sign in',
    },
    'accept-lines': {
      type: 'string',
      value: '<file>',
      about: 'the numbers of the lines whose plain password looks like a hash and is none, one a line',
    },
  },
  run(context, { values, positionals }) {
    const { from, source = from, map, merge, 'hash-config': hashConfig } = values;
    const isDry = values['dry-run'];
    const isConfirmedProven = values['confirmed-is-proven'] ?? from === undefined;
    const keyFile = values['key-file'];
    if (from === 'gatehouse') {
      const [named = '', second] = positionals;
      const others = [values.source, map, merge, hashConfig, values['accept-lines'], second];
      if (others.some((each) => each !== undefined))
        throw new CommandError('--from gatehouse takes one folder, --key-file and --dry-run.');
      return importExport(context, { named, keyFile, isDry });
    }
    if (keyFile !== undefined) throw new CommandError('--key-file is for --from gatehouse.');
    const run = { ...context, isDry, isConfirmedProven, wrapsWeak: values['wrap-weak'] };
    if (from === undefined || source === undefined) {
      const [named = '-', second] = positionals;
      if ((values.source ?? map ?? hashConfig ?? merge) !== undefined || second !== undefined)
        throw new CommandError(
          'One file of JSON lines is imported without --source, --map, --hash-config and --merge.',
        );
      return importOwnLines({ ...run, acceptLines: values['accept-lines'] }, named);
    }
    if (merge !== undefined && merge !== 'confirmed')
      throw new CommandError('--merge takes one word: confirmed.');
    if (merge !== undefined && !isConfirmedProven)
      throw new CommandError(
        '--merge confirmed joins nobody where a click may have confirmed an address: it needs --confirmed-is-proven.',
      );
    if (values['accept-lines'] !== undefined)
      throw new CommandError('--accept-lines is for a file of JSON lines.');
    return importForeign({ ...run, from, source, map, hashConfig, joins: merge !== undefined }, positionals);
  },
});

interface Run extends CommandContext {
  readonly isDry: boolean;
  readonly isConfirmedProven: boolean;
  readonly wrapsWeak: boolean;
}

/** Imports a file with a record on each line. */
async function importOwnLines(
  run: Run & { readonly acceptLines: string | undefined },
  named: string,
): Promise<number> {
  const total = named === '-' ? undefined : await countLines(run, named);
  const accepted = await readNumbers(run, run.acceptLines);
  const { draw, say } = run;
  return withDatabase(run, async (db) => {
    const progress =
      total === undefined
        ? createProgressCount({ title: 'lines', draw })
        : createProgressBar({ title: 'lines', total, draw, say });
    return importLines(db, ownPortions(run, named, accepted), { ...run, advance: progress.advance });
  });
}

async function* ownPortions(run: Run, named: string, accepted: ReadonlySet<number>): AsyncGenerator<Portion> {
  const roles = rolesIn(run);
  const { env, wrapsWeak } = run;
  const checks = { wrapsWeak, isOurSecret: (text: string) => holdsSecret(env, text) };
  let lines: ImportLine[] = [];
  let read = 0;
  for await (const { number, text, problem } of readList(run, named)) {
    read += 1;
    if (text?.trim() === '') continue;
    const record =
      text === undefined
        ? { problem }
        : readRecord(text, roles, { ...checks, isAccepted: accepted.has(number) });
    const where = `line ${number}`;
    if ('problem' in record) {
      const names = 'name' in record && record.name !== undefined ? [record.name] : [];
      lines.push({ where, records: [], problem: record.problem, names });
    } else {
      const name = nameOf(record);
      const names = name === undefined ? [] : [name];
      lines.push({ where, records: [record], title: describeRecord(record), names });
    }
    if (lines.length < LINES_AT_ONCE) continue;
    yield { lines, read };
    lines = [];
    read = 0;
  }
  if (read > 0) yield { lines, read };
}

/** Imports what another system exports. */
async function importForeign(
  run: Run & {
    readonly from: string;
    readonly source: string;
    readonly map: string | undefined;
    readonly hashConfig: string | undefined;
    readonly joins: boolean;
  },
  named: readonly string[],
): Promise<number> {
  const reader = findForeignReader(run.from);
  const roles = rolesIn(run);
  const ownRoles = Object.entries(reader.roles).map(([there, here]) => [there, roles.id[here]] as const);
  const map = new Map([...ownRoles, ...(await readRoleMap(run, run.map, roles))]);
  const opened = await openForeignFiles(run, reader, named);
  const { draw, say } = run;
  return withDatabase(run, async (db) => {
    const progress = createProgressBar({ title: 'bytes', total: opened.bytes, draw, say });
    const notes = new Map<string, { readonly where: string; more: number }>();
    const resolve = createForeignResolver({
      ...run,
      db,
      roles,
      map,
      whereIs: ({ file, number }) => (named.length === 1 ? `line ${number}` : `${file}, line ${number}`),
      note(where, text) {
        const known = notes.get(text);
        if (known === undefined) notes.set(text, { where, more: 0 });
        else known.more += 1;
      },
    });
    const owns = (named: readonly string[]) => {
      const roleType = highest(roles, named, map, map.get(EVERY_OTHER));
      return roleType === roles.id.owner || roleType === roles.id.admin;
    };
    const lines = reader.read(opened.files, {
      owns,
      hashConfig: await readWhole(run, run.hashConfig),
      rpId: readRpId(run.env),
      variable: (name) => run.env[name],
      nowMs: Date.now(),
    });
    const code = await importLines(db, foreignPortions(lines, resolve, opened), {
      ...run,
      advance: progress.advance,
    });
    await opened.close();
    if (notes.size > 0) say('Notes:');
    for (const [text, { where, more }] of notes)
      say(`${where}${more === 0 ? '' : ` and ${more} more`}: ${text}`);
    return code;
  });
}

async function readWhole(run: Run, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const lines: string[] = [];
  for await (const { number, text, problem } of readList(run, named)) {
    if (text === undefined) throw new CommandError(`${named}, line ${number}: ${problem}.`);
    lines.push(text);
  }
  return lines.join('\n');
}

async function* foreignPortions(
  lines: AsyncIterable<ForeignLine>,
  resolve: ReturnType<typeof createForeignResolver>,
  { takeRead, takeRest }: Pick<OpenedFiles, 'takeRead' | 'takeRest'>,
): AsyncGenerator<Portion> {
  let portion: ForeignLine[] = [];
  // What was read last is counted once it is written, so that the bar is full only at the end.
  let held = 0;
  const take = (): number => {
    const last = takeRead();
    if (last === 0) return 0;
    const before = held;
    held = last;
    return before;
  };
  for await (const line of lines) {
    portion.push(line);
    if (portion.length < LINES_AT_ONCE) continue;
    yield { lines: await resolve(portion), read: take() };
    portion = [];
  }
  yield { lines: await resolve(portion), read: takeRest() + held };
}
