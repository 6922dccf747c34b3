import type { Member } from '@gatehouse/client-sdk/admin';
import { gatehouse } from '../client.js';
import { askedFor } from './asked-for.js';
import type { Filters } from './filters.js';

/** The most that a page of a list has. */
const PAGE = 200;

/**
 * Reads all that match, page by page.
 * @param most so many are read
 * @param onRead how many there are so far
 * @returns `isCut` where there are more than that
 */
export async function readMatching(
  filters: Filters,
  most: number,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (count: number) => void },
): Promise<{ readonly members: readonly Member[]; readonly isCut: boolean }> {
  const members: Member[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, most - members.length);
    const asked = { ...askedFor(filters), limit, ...(cursor === null ? {} : { cursor }) };
    const { data, page } = await gatehouse.api.member.search.query(asked, { signal });
    members.push(...data);
    onRead(members.length);
    cursor = page.nextCursor;
  } while (cursor !== null && members.length < most);
  return { members, isCut: cursor !== null };
}
