import { addressSearchKey, searchKey } from '@gatehouse/auth-core';
import type { PeopleSearch } from '@gatehouse/db';
import { searchedId } from './searched-id.js';

/** Finds members by any part of username, first or last name or e-mail address, and by id. */
export function peopleSearch(text: string): PeopleSearch {
  return { nameKey: searchKey(text), emailKey: addressSearchKey(text), id: searchedId(text) };
}
