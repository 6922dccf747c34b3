import { emailKey, searchKey } from '@gatehouse/auth-core';
import type { PeopleSearch } from '@gatehouse/db';

/** Finds members by any part of their username, first name or e-mail address. */
export function peopleSearch(text: string): PeopleSearch {
  return { nameKey: searchKey(text), emailKey: emailKey(text) };
}
