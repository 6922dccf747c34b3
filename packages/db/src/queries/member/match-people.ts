import { and, eq, isNull, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { contains } from '../text/contains.js';

/** Normalised texts to search members by. */
export interface PeopleSearch {
  /** Text anywhere in the username, the first or the last name. */
  nameKey?: string;
  /** Text anywhere in the e-mail address. With `nameKey`, one match is enough. */
  emailKey?: string;
  /** The member's id. With the others, one match is enough. */
  id?: number | undefined;
  /** Anywhere in the first or last name, or the id, regardless of the others. */
  realName?: { readonly key: string; readonly id?: number | undefined };
}

/**
 * True for members that a search matches. Empty or missing texts restrict nothing. A name that holds an `@` is never
 * matched: members choose their names, and whoever took an address for one is not its owner.
 */
export function matchPeople(
  db: Database,
  { nameKey, emailKey, id, realName }: PeopleSearch,
): SQL | undefined {
  const { members } = db.tables;
  return and(
    realName?.key ? or(hasRealName(db, realName.key), isMember(db, realName.id)) : undefined,
    or(
      nameKey ? containsName(members.usernameKey, nameKey) : undefined,
      nameKey ? hasRealName(db, nameKey) : undefined,
      emailKey ? contains(members.emailKey, emailKey) : undefined,
      isMember(db, id),
    ),
  );
}

function isMember({ tables: { members } }: Database, id: number | undefined): SQL | undefined {
  return id === undefined ? undefined : eq(members.id, id);
}

function containsName(name: SQLWrapper, key: string): SQL | undefined {
  return and(contains(name, key), not(contains(name, '@')));
}

/** A last name not indexed yet is compared by the database's own rules. */
function hasRealName({ tables: { members } }: Database, key: string): SQL | undefined {
  return or(
    containsName(members.firstNameKey, key),
    containsName(members.lastNameKey, key),
    and(isNull(members.lastNameKey), containsName(sql`lower(${members.lastName})`, key)),
  );
}
