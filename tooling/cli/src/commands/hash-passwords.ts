import {
  dummyHash,
  hashPassword,
  isPasswordHash,
  looksLikeDigest,
  mayBePlain,
  passwordCost,
  readStoredPassword,
  wrapPasswordHash,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  countImportedHashes,
  countUnknownPasswords,
  declarePlainPasswords,
  listImportedHashes,
  listUnknownPasswords,
} from '@gatehouse/db/queries/imported-passwords';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { readNumbers } from '../read-list.js';
import { withDatabase } from '../with-database.js';

/** Rows hashed in parallel. bcrypt uses the thread pool, which has four threads by default. */
const AT_ONCE = 4;
const PAGE = 100;

interface Kind {
  count(db: Database): Promise<number>;
  list(db: Database, afterId: number, limit: number): Promise<{ id: number; password: string }[]>;
  /** The hash that replaces the stored value. */
  improve(stored: string): Promise<string>;
  readonly are: string;
  readonly none: string;
}

const PLAIN: Kind = {
  count: (db) => countUnknownPasswords(db, { isPlain: true }),
  list: (db, afterId, limit) => listUnknownPasswords(db, { isPlain: true, afterId, limit }),
  improve: hashDeclared,
  are: 'stand in plain text',
  none: 'No password that was declared plain stands in plain text.',
};

const IMPORTED: Kind = {
  count: countImportedHashes,
  list: listImportedHashes,
  improve: wrapLow,
  are: 'are hashes of another cost than ours that no import has seen',
  none: 'No hash of low cost stands bare.',
};

/**
 * Hashes passwords that were declared plain and wraps hashes of low cost, row by row, so that it can be stopped and resumed.
 * `--plain-passwords` first declares every stored text that is not a known hash, so that its owner can sign in at once.
 */
export const hashPasswords = defineCommand({
  name: 'hash-passwords',
  summary:
    'hash every password that was declared plain, wrap every hash of a cost below 10; may be stopped and run again',
  usage: ['[--plain-passwords [--accept-lines <file>]]'],
  options: {
    'plain-passwords': {
      type: 'boolean',
      default: false,
      about: 'declare that stored texts that are no known hash are passwords; lists those that look like one',
    },
    'accept-lines': {
      type: 'string',
      value: '<file>',
      about: 'the numbers of the members whose stored text looks like a hash and is none, one a line',
    },
  },
  async run(context, { values }) {
    const accepted = await readNumbers(context, values['accept-lines']);
    return withDatabase(context, async (db) => {
      const refused = values['plain-passwords'] ? await declareAll(context, db, accepted) : 0;
      const left = (await improveAll(context, db, PLAIN)) + (await improveAll(context, db, IMPORTED));
      const unknown = await countUnknownPasswords(db, { isPlain: false });
      if (unknown > 0)
        context.say(
          `${unknown} stored passwords are no hash that is known and were not declared plain: nobody signs in with them. ` +
            'If they are passwords, run it with --plain-passwords; otherwise their owners set new ones by a reset.',
        );
      return left + refused === 0 ? 0 : 1;
    });
  },
});

/** Declares texts that may be plain passwords, and lists the members whose stored text is not declared. Returns how many. */
async function declareAll(
  context: CommandContext,
  db: Database,
  accepted: ReadonlySet<number>,
): Promise<number> {
  let declared = 0;
  let refused = 0;
  let afterId = 0;
  for (;;) {
    const rows = await listUnknownPasswords(db, { isPlain: false, afterId, limit: PAGE });
    const last = rows.at(-1);
    if (!last) break;
    const plain: number[] = [];
    for (const { id, password } of rows) {
      const problem = problemOf(password, accepted.has(id));
      if (problem === undefined) plain.push(id);
      else {
        refused += 1;
        context.say(`member ${id}: ${problem}`);
      }
    }
    declared += await declarePlainPasswords(db, plain);
    afterId = last.id;
  }
  context.say(`${declared} passwords were declared plain.`);
  return refused;
}

/** Why a stored text is not declared plain. */
function problemOf(stored: string, isAccepted: boolean): string | undefined {
  if (!mayBePlain(stored)) return 'what is stored is no text of 1 to 72 bytes; a reset gives a new password';
  if (isAccepted || !looksLikeDigest(stored)) return undefined;
  return 'what is stored looks like a hash, with which anybody who has seen it would sign in; if it is a password, give this number in the file of --accept-lines';
}

async function improveAll(context: CommandContext, db: Database, kind: Kind): Promise<number> {
  const total = await kind.count(db);
  if (total === 0) {
    context.say(kind.none);
    return 0;
  }
  context.say(`${total} passwords ${kind.are}.`);
  let done = 0;
  let afterId = 0;
  const startedAt = performance.now();
  for (;;) {
    const rows = await kind.list(db, afterId, PAGE);
    const last = rows.at(-1);
    if (!last) break;
    for (let index = 0; index < rows.length; index += AT_ONCE) {
      await Promise.all(
        rows.slice(index, index + AT_ONCE).map(async ({ id, password }) => {
          const hash = await kind.improve(password);
          await setPasswordHash(db, id, password, hash, passwordCost(hash));
          done += 1;
        }),
      );
    }
    afterId = last.id;
    const perSecond = Math.round((done / (performance.now() - startedAt)) * 1000);
    context.say(`${done} of ${total} hashed (${Math.floor((done / total) * 100)} %), ${perSecond} a second`);
  }
  const left = await kind.count(db);
  context.say(left === 0 ? 'Done: none is left.' : `${left} are left; run it again.`);
  return left;
}

/** A hash that is not of low cost stays, and so does a text that is damaged: only a declaration makes it a password. */
async function wrapLow(stored: string): Promise<string> {
  return readStoredPassword(stored).kind === 'weak' ? wrapPasswordHash(stored) : stored;
}

/** A password that was declared plain and that no sign-in can match must not stay readable. */
async function hashDeclared(stored: string): Promise<string> {
  if (isPasswordHash(stored)) return stored;
  return mayBePlain(stored) ? hashPassword(stored) : dummyHash;
}
