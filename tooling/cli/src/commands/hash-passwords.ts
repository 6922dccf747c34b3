import {
  dummyHash,
  hashPassword,
  OWN_ROUNDS,
  passwordRounds,
  readStoredPassword,
  wrapPasswordHash,
} from '@gatehouse/auth-core';
import {
  countImportedHashes,
  countPlainPasswords,
  type Database,
  listImportedHashes,
  listPlainPasswords,
  setPasswordHash,
} from '@gatehouse/db';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';

/** Rows hashed in parallel. bcrypt uses the thread pool, which has four threads by default. */
const AT_ONCE = 4;
const PAGE = 100;

interface Kind {
  count(db: Database): Promise<number>;
  list(db: Database, afterId: number, limit: number): Promise<{ id: number; password: string }[]>;
  readonly are: string;
  readonly none: string;
}

const PLAIN: Kind = {
  count: countPlainPasswords,
  list: listPlainPasswords,
  are: 'stand in plain text',
  none: 'No password stands in plain text.',
};

const IMPORTED: Kind = {
  count: countImportedHashes,
  list: listImportedHashes,
  are: 'are hashes of another cost than ours that no import has seen',
  none: 'No hash of low cost stands bare.',
};

/** Hashes plain text and wraps hashes of low cost, row by row, so that it can be stopped and resumed. */
export const hashPasswords = defineCommand({
  name: 'hash-passwords',
  summary:
    'hash every password in plain text, wrap every hash of a cost below 10; may be stopped and run again',
  run: (context) =>
    withDatabase(context, async (db) => {
      const left = (await improveAll(context, db, PLAIN)) + (await improveAll(context, db, IMPORTED));
      return left === 0 ? 0 : 1;
    }),
});

async function improveAll(context: CommandContext, db: Database, kind: Kind): Promise<number> {
  const total = await kind.count(db);
  if (total === 0) {
    context.say(kind.none);
    return 0;
  }
  context.say(`${total} passwords ${kind.are}.`);
  let done = 0;
  let unreadable = 0;
  let afterId = 0;
  const startedAt = performance.now();
  for (;;) {
    const rows = await kind.list(db, afterId, PAGE);
    const last = rows.at(-1);
    if (!last) break;
    for (let index = 0; index < rows.length; index += AT_ONCE) {
      await Promise.all(
        rows.slice(index, index + AT_ONCE).map(async ({ id, password }) => {
          const hash = await hashOf(password);
          const rounds = passwordRounds(hash);
          await setPasswordHash(db, id, password, hash, rounds === OWN_ROUNDS ? null : rounds);
          if (hash === dummyHash) unreadable += 1;
          done += 1;
        }),
      );
    }
    afterId = last.id;
    const perSecond = Math.round((done / (performance.now() - startedAt)) * 1000);
    context.say(`${done} of ${total} hashed (${Math.floor((done / total) * 100)} %), ${perSecond} a second`);
  }
  if (unreadable > 0)
    context.say(
      `${unreadable} were longer than bcrypt reads, or a damaged or foreign hash; a reset gives a new one.`,
    );
  const left = await kind.count(db);
  context.say(left === 0 ? 'Done: none is left.' : `${left} are left; run it again.`);
  return left;
}

/** A stored value that no password can match allows no sign-in, and must not stay readable. */
async function hashOf(stored: string): Promise<string> {
  switch (readStoredPassword(stored).kind) {
    case 'plain':
      return hashPassword(stored);
    case 'weak':
      return wrapPasswordHash(stored);
    case 'refused':
      return dummyHash;
    case 'bcrypt':
    case 'wrapped':
      return stored;
  }
}
