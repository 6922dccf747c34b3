import type { MemberIdPage } from '@gatehouse/db/queries/list-members';
import { createSmallestIds } from './smallest-ids.js';

/** The live memberships of an account, by ascending member. */
export interface AccountMembers {
  readonly memberIds: readonly number[];
  /** The key of each member's username, null when unknown. */
  readonly names: readonly (string | null)[];
}

/** A member who changed after the lists were read. */
export interface ChangedMember {
  /** The member's current accounts, with the name as in a list. Undefined until read. */
  places: ReadonlyMap<number, string | null> | undefined;
  reading: Promise<void> | undefined;
}

const NO_PLACES: ReadonlyMap<number, string | null> = new Map();

/**
 * A page of the members of several accounts, each once, by ascending id. Changed members take precedence over
 * the lists.
 */
export function mergeMemberLists(
  membershipCache: readonly AccountMembers[],
  {
    accountIds,
    changed,
    page: { afterId, limit, nameKey },
  }: { accountIds: readonly number[]; changed: ReadonlyMap<number, ChangedMember>; page: MemberIdPage },
): number[] {
  const found = createSmallestIds(limit);
  const mayBe = (name: string | null) => nameKey === undefined || name === null || name.includes(nameKey);

  const scope = new Set(accountIds);
  for (const [memberId, { places = NO_PLACES }] of changed) {
    const isFound = memberId > afterId && [...places].some(([id, name]) => scope.has(id) && mayBe(name));
    if (isFound) found.add(memberId);
  }
  for (const { memberIds, names } of membershipCache) {
    let left = limit;
    for (let at = firstAfter(memberIds, afterId); at < memberIds.length && left > 0; at += 1) {
      const memberId = memberIds[at] ?? Number.POSITIVE_INFINITY;
      if (memberId >= found.bound) break;
      if (changed.has(memberId) || !mayBe(names[at] ?? null)) continue;
      found.add(memberId);
      left -= 1;
    }
  }
  return found.list();
}

/** The index of the first id above `id` in ascending ids. */
function firstAfter(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
