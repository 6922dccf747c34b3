import { readFile, writeFile } from 'node:fs/promises';
import { openReplacedDatabase, type ReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { checkMove } from '../move/check-move.js';
import { guessMap } from '../move/guess-map.js';
import { type MoveMap, placesIn, readMoveMap, writeMoveMap } from '../move/move-map.js';
import { planMove } from '../move/plan-move.js';
import { type MoveInput, runMove } from '../move/run-move.js';
import { findMapFaults } from '../move/unmoved.js';
import { operatorPath } from '../operator-audit.js';
import { readNumbers } from '../read-list.js';
import { withDatabase } from '../with-database.js';

const USAGE =
  'usage: gatehouse move plan | run | check --from <mysql://…> [--map <file>]; only plan needs no map';

/** Where the map goes that was guessed. */
const GUESSED = 'move-map.yaml';

export const move = defineCommand({
  name: 'move',
  summary: 'bring everybody from the database of the replaced system, as often as needed until the switch',
  usage: [
    'plan --from <mysql://…> [--map <file>] [--accept-lines <file>]',
    'run --from <mysql://…> --map <file> [--no-confirmed-is-proven] [--accept-lines <file>]',
    'check --from <mysql://…> --map <file> [--accept-lines <file>]; see docs/moving.md',
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
    'accept-lines': {
      type: 'string',
      value: '<file>',
      about: 'the numbers of the members whose plain password looks like a hash and is none, one a line',
    },
  },
  async run(context, { values, positionals: [action] }) {
    const { from, map: named } = values;
    const act = ACTIONS[action ?? ''];
    if (act === undefined || from === undefined || (action !== 'plan' && named === undefined)) {
      context.say(USAGE);
      return 2;
    }
    if (!from.startsWith('mysql://')) throw new CommandError('--from must begin with mysql://.');
    const accepted = await readNumbers(context, values['accept-lines']);
    const isConfirmedProven = values['confirmed-is-proven'];
    return withReplaced(from, async (old) => {
      const map = await mapFor(context, old, named);
      return withDatabase(context, (db) => act(context, { db, old, map, accepted, isConfirmedProven }));
    });
  },
});

const ACTIONS: Readonly<
  Record<string, ((context: CommandContext, input: MoveInput) => Promise<number>) | undefined>
> = { plan: planMove, run: runMove, check: checkMove };

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
