import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { openReplacedDatabase, type ReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { checkMove } from '../move/check-move.js';
import { guessMap } from '../move/guess-map.js';
import { moveBack } from '../move/move-back.js';
import { type MoveMap, placesIn, readMoveMap, writeMoveMap } from '../move/move-map.js';
import { planMove } from '../move/plan-move.js';
import { type MoveInput, runMove } from '../move/run-move.js';
import { findMapFaults } from '../move/unmoved.js';
import { operatorPath } from '../operator-audit.js';
import { readNumbers } from '../read-list.js';
import { withDatabase } from '../with-database.js';

const USAGE =
  'usage: gatehouse move plan | run | check | back --from <mysql://…> [--map <file>]; only plan needs no map, and back needs --since';

/** The file for the statements that move changes back. */
const SCRIPT = 'move-back.sql';

/** The file for the guessed map. */
const GUESSED = 'move-map.yaml';

export const move = defineCommand({
  name: 'move',
  summary:
    'bring everybody from the database of the replaced system, as often as needed, and changes back to it',
  usage: [
    'plan --from <mysql://…> [--map <file>] [--plain-passwords] [--accept-lines <file>]',
    'run --from <mysql://…> --map <file> [--plain-passwords] [--accept-lines <file>] [--no-confirmed-is-proven]',
    'check --from <mysql://…> --map <file> [--plain-passwords] [--accept-lines <file>]',
    'back --from <mysql://…> --map <file> --since <time> [--to <file>]; see docs/moving.md',
  ],
  words: { least: 1, most: 1 },
  options: {
    from: {
      type: 'string',
      value: '<mysql://…>',
      about: 'the database of the replaced system, with a user who may only read',
    },
    map: {
      type: 'string',
      value: '<file>',
      about: `which of its tables and columns hold what; without it they are guessed, and written to ${GUESSED}`,
    },
    'confirmed-is-proven': {
      type: 'boolean',
      default: true,
      about:
        'who confirmed an address there is known to own the member; --no-confirmed-is-proven where a click on a link confirmed it',
    },
    since: {
      type: 'string',
      value: '<time>',
      about: 'the moment of the switch, as 2026-11-29T18:00:00Z',
    },
    to: {
      type: 'string',
      value: '<file>',
      default: SCRIPT,
      about: 'where the statements for the old database go, with the secrets that it holds',
    },
    'plain-passwords': {
      type: 'boolean',
      default: false,
      about:
        'stored texts that are no hashes are the passwords themselves; without it these members set new ones',
    },
    'accept-lines': {
      type: 'string',
      value: '<file>',
      about: 'the numbers of the members whose plain password looks like a hash and is none, one a line',
    },
  },
  async run(context, { values, positionals: [action] }) {
    const { from, map: named, since, to } = values;
    const act = action === 'back' ? takeBack({ since, to }) : ACTIONS[action ?? ''];
    if (act === undefined || from === undefined || (action !== 'plan' && named === undefined)) {
      context.say(USAGE);
      return 2;
    }
    if (!from.startsWith('mysql://')) throw new CommandError('--from must begin with mysql://.');
    const accepted = await readNumbers(context, values['accept-lines']);
    const isConfirmedProven = values['confirmed-is-proven'];
    const arePlain = values['plain-passwords'];
    return withReplaced(from, async (old) => {
      const map = await mapFor(context, old, named);
      return withDatabase(context, (db) =>
        act(context, { db, old, map, arePlain, accepted, isConfirmedProven }),
      );
    });
  },
});

type Action = (context: CommandContext, input: MoveInput) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action | undefined>> = {
  plan: planMove,
  run: runMove,
  check: checkMove,
};

/** Writes a script that moves changes back; undefined without the moment of the switch. */
function takeBack({ since, to }: { readonly since: string | undefined; readonly to: string }) {
  if (since === undefined) return undefined;
  const sinceMs = INSTANT.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(sinceMs) || sinceMs > Date.now())
    throw new CommandError('--since must be a past moment with its time zone, as 2026-11-29T18:00:00Z.');
  return async (context: CommandContext, input: MoveInput): Promise<number> => {
    const path = operatorPath(context, to);
    // It contains the data of the old tables, so only its owner may read it.
    const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw isThere
        ? new CommandError(`${to} is there already: remove it, or give another --to.`, { cause })
        : cause;
    });
    try {
      const write = async (lines: readonly string[]) => {
        if (lines.length > 0) await file.appendFile(`${lines.join('\n')}\n`);
      };
      return await moveBack(context, { ...input, sinceMs, write });
    } catch (error) {
      // Half a script is of no use.
      await rm(path);
      throw error;
    } finally {
      await file.close();
    }
  };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

async function withReplaced<Result>(
  url: string,
  body: (old: ReplacedDatabase) => Promise<Result>,
): Promise<Result> {
  const old = await openReplacedDatabase(url, '--from');
  try {
    return await body(old);
  } finally {
    await old.close();
  }
}

/**
 * The map that the operator names, or one that is guessed and written.
 * @throws {CommandError} if it names a table or column that is not there
 */
async function mapFor(
  context: CommandContext,
  old: ReplacedDatabase,
  named: string | undefined,
): Promise<MoveMap> {
  const tables = await old.listTables();
  if (named === undefined) return guess(context, guessMap(tables));
  const map = readMoveMap(await readFile(operatorPath(context, named), 'utf8'), named);
  const faults = findMapFaults(tables, map);
  if (faults.length > 0)
    throw new CommandError([`${named} does not fit the database:`, ...faults].join('\n  '));
  return map;
}

async function guess(context: CommandContext, map: MoveMap): Promise<MoveMap> {
  await writeFile(operatorPath(context, GUESSED), writeMoveMap(map), { flag: 'wx' }).catch(
    (cause: unknown) => {
      const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
      throw isThere
        ? new CommandError(`${GUESSED} is there already: give it to --map, or remove it.`, { cause })
        : cause;
    },
  );
  const kinds = placesIn(map).map(({ kind, place }) => `${kind} in ${place.table}`);
  context.say(`Found by their names: ${kinds.join(', ')}.`);
  context.say(`Look at ${GUESSED}, correct what is wrong, and plan again with --map ${GUESSED}.`);
  return map;
}
