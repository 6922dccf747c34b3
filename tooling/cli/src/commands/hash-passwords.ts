import { hashPassword } from '@gatehouse/auth-core';
import { countPlainPasswords, listPlainPasswords, setPasswordHash } from '@gatehouse/db';
import type { Command } from '../command.js';
import { withDatabase } from '../with-database.js';

/** Rows hashed side by side; bcrypt runs on the thread pool, which has four threads unless told otherwise. */
const AT_ONCE = 4;

export const hashPasswords: Command = {
  name: 'hash-passwords',
  summary: 'hash every password that still stands in plain text; may be stopped and run again',
  run: (context) =>
    withDatabase(context, async (db) => {
      const total = await countPlainPasswords(db);
      if (total === 0) {
        context.say('No password stands in plain text.');
        return 0;
      }
      context.say(`${total} passwords stand in plain text.`);
      let done = 0;
      let afterId = 0;
      const startedAt = performance.now();
      for (;;) {
        const rows = await listPlainPasswords(db, afterId, 100);
        const last = rows.at(-1);
        if (!last) break;
        for (let index = 0; index < rows.length; index += AT_ONCE) {
          await Promise.all(
            rows.slice(index, index + AT_ONCE).map(async ({ id, password }) => {
              await setPasswordHash(db, id, password, await hashPassword(password));
              done += 1;
            }),
          );
        }
        afterId = last.id;
        const perSecond = Math.round((done / (performance.now() - startedAt)) * 1000);
        context.say(
          `${done} of ${total} hashed (${Math.floor((done / total) * 100)} %), ${perSecond} a second`,
        );
      }
      const left = await countPlainPasswords(db);
      context.say(left === 0 ? 'Done: none is left.' : `${left} are left; run it again.`);
      return left === 0 ? 0 : 1;
    }),
};
