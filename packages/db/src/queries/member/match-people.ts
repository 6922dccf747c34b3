import { and, or, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { contains } from '../text/contains.js';

/** Normalised texts that a member is searched by. */
export interface PeopleSearch {
  /** Anywhere in the username or the first name. */
  nameKey?: string;
  /** Anywhere in the e-mail address; with `nameKey`, either will do. */
  emailKey?: string;
  /** Anywhere in the first name, whatever the others say. */
  firstNameKey?: string;
}

/** True of members whom a search finds; texts that are empty or left out restrict nothing. */
export function matchPeople(
  { tables: { members } }: Database,
  { nameKey, emailKey, firstNameKey }: PeopleSearch,
): SQL | undefined {
  return and(
    firstNameKey ? contains(members.firstNameKey, firstNameKey) : undefined,
    or(
      nameKey ? contains(members.usernameKey, nameKey) : undefined,
      nameKey ? contains(members.firstNameKey, nameKey) : undefined,
      emailKey ? contains(members.emailKey, emailKey) : undefined,
    ),
  );
}
