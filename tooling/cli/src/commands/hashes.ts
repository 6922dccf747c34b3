import { countPasswordKinds, type PasswordKindCount } from '@gatehouse/db/queries/imported-passwords';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';

/** The words for the kinds that are not those of another system. */
const WORDS: Readonly<Record<string, string>> = {
  bcrypt: 'bcrypt',
  wrapped: 'bcrypt of low cost, wrapped in one of cost 10 until its owner signs in',
  wordpress: 'bcrypt of WordPress, until its owner signs in',
  digest:
    'MD5, SHA-1 or SHA-256 inside of bcrypt, until its owner signs in: quick to guess for who has seen the digest',
  plain: 'plain text; run gatehouse hash-passwords',
  unknown: 'no hash that is known: nobody signs in with it',
};

export const hashes = defineCommand({
  name: 'hashes',
  summary:
    'count the stored passwords by kind, and say when each was last used and how long it makes the refusal of a password wait',
  async run(context) {
    return withDatabase(context, async (db) => {
      for (const each of await countPasswordKinds(db)) context.say(`${each.count} ${wordsFor(each)}`);
      return 0;
    });
  },
});

function wordsFor({ kind, delayMs, lastUsedAtMs, count }: PasswordKindCount): string {
  const seconds = ((delayMs ?? 0) / 1000).toFixed(2);
  const words = WORDS[kind] ?? `${kind}, until its owner signs in; a wrong password waits ${seconds} s`;
  if (kind === 'plain' || kind === 'unknown') return words;
  const used = lastUsedAtMs === null ? 'never used' : `last used ${new Date(lastUsedAtMs).toISOString()}`;
  return count === 0 ? `${kind}; ${used}` : `${words}; ${used}`;
}
