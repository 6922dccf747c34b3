import type { Database } from '@gatehouse/db/database';
import { listMemberIds, type MemberIdPage } from '@gatehouse/db/queries/list-members';
import { listAccountMembers, listMembershipRowsOf } from '@gatehouse/db/queries/memberships';
import { LRUCache } from 'lru-cache';
import { type AccountMembers, type ChangedMember, mergeMemberLists } from './merge-member-lists.js';

/**
 * Memberships by account in bounded memory, for lists over more accounts than a database can merge quickly.
 */
export interface MembershipCache {
  /**
   * The members of any of the accounts, each once, by ascending id. Read from memory if all accounts are cached,
   * else from the database. They may include deleted members, and members whose name must still be compared.
   */
  listMemberIds(accountIds: readonly number[], page: MemberIdPage): Promise<number[]>;
  /** Records that a member's name or memberships may have changed. */
  recordChange(memberId: number): void;
  /** Clears the cache, because changes may have been missed. */
  forgetAll(): void;
  /** Resolves when nothing is being read. */
  settled(): Promise<void>;
  readonly statistics: MembershipCacheStatistics;
}

export interface MembershipCacheStatistics {
  /** Pages that came from memory. */
  hits: number;
  /** Pages that came from the database. */
  misses: number;
}

export interface MembershipCacheLimits {
  /** For this few accounts the database is as fast. */
  fewAccounts?: number;
  /** How many memberships are cached in total. */
  capacity?: number;
  /** Accounts with more members are not cached. */
  largestAccount?: number;
  /** After this many changes the cache is cleared. */
  mostChanges?: number;
  /** The number of memberships read at once, so that requests run in between. */
  portion?: number;
}

/** An account with too many members to cache. */
const TOO_LARGE = 'too large';

/** Loading takes at most a tenth of the time, even if callers request more accounts than fit. */
const LEISURE = 9;

/**
 * Caches the members of accounts requested together with many others. A cached list never changes: members named
 * by the change log are read again and take precedence over it. A page is thus as fresh as the caller's last
 * read of the log.
 */
export function createMembershipCache(
  db: Database,
  {
    fewAccounts = 8,
    capacity = 200_000,
    largestAccount = 50_000,
    mostChanges = 1_000,
    portion = 1_000,
  }: MembershipCacheLimits = {},
): MembershipCache {
  const statistics: MembershipCacheStatistics = { hits: 0, misses: 0 };
  const kept = new LRUCache<number, AccountMembers | typeof TOO_LARGE>({
    maxSize: capacity,
    sizeCalculation: (accountMembers) =>
      accountMembers === TOO_LARGE ? 1 : accountMembers.memberIds.length + 1,
  });
  let changes = new Map<number, ChangedMember>();
  let loading: Promise<void> | undefined;
  let loadAgainAt = 0;

  function forgetAll(): void {
    kept.clear();
    changes = new Map();
  }

  async function readAccountMembers(accountId: number): Promise<AccountMembers | typeof TOO_LARGE> {
    const memberIds: number[] = [];
    const names: (string | null)[] = [];
    for (;;) {
      const rows = await listAccountMembers(db, accountId, {
        afterId: memberIds.at(-1) ?? 0,
        limit: portion,
      });
      for (const { memberId, name } of rows) {
        memberIds.push(memberId);
        names.push(name);
      }
      if (memberIds.length > largestAccount) return TOO_LARGE;
      if (rows.length < portion) return { memberIds, names };
    }
  }

  async function load(accountIds: readonly number[]): Promise<void> {
    const startedAt = performance.now();
    try {
      for (const accountId of accountIds) {
        const before = changes;
        const accountMembers = await readAccountMembers(accountId);
        if (changes === before) kept.set(accountId, accountMembers);
      }
    } catch {
      // Not awaited: the next database call meets the same error.
    }
    const now = performance.now();
    loadAgainAt = now + LEISURE * (now - startedAt);
  }

  function want(accountIds: readonly number[]): void {
    if (loading !== undefined || performance.now() < loadAgainAt) return;
    loading = load(accountIds).finally(() => {
      loading = undefined;
    });
  }

  /** The members of all these accounts. Undefined while one is missing or too large. */
  function membersOfEach(accountIds: readonly number[]): AccountMembers[] | undefined {
    const membershipCache: AccountMembers[] = [];
    const missing: number[] = [];
    for (const accountId of accountIds) {
      const accountMembers = kept.get(accountId);
      if (accountMembers === TOO_LARGE) return undefined;
      if (accountMembers === undefined) missing.push(accountId);
      else membershipCache.push(accountMembers);
    }
    if (missing.length === 0) return membershipCache;
    want(missing);
    return undefined;
  }

  /** The current state of every changed member. */
  async function changedMembers(): Promise<ReadonlyMap<number, ChangedMember>> {
    const all = new Map(changes);
    const unread = [...all].filter(([, { reading }]) => reading === undefined);
    if (unread.length > 0) {
      const reading = readPlaces(unread);
      for (const [, member] of unread) member.reading = reading;
    }
    const pending = [...all.values()].filter(({ places }) => places === undefined);
    // At once: one that failed while another was waited for would be nobody's, and end the process.
    await Promise.all(pending.flatMap(({ reading }) => reading ?? []));
    return all;
  }

  async function readPlaces(unread: readonly (readonly [number, ChangedMember])[]): Promise<void> {
    const places = new Map(unread.map(([memberId]) => [memberId, new Map<number, string | null>()]));
    try {
      const rows = await listMembershipRowsOf(db, [...places.keys()]);
      for (const { memberId, accountId, name } of rows) places.get(memberId)?.set(accountId, name);
      for (const [memberId, member] of unread) member.places = places.get(memberId);
    } catch (error) {
      for (const [, member] of unread) member.reading = undefined;
      throw error;
    }
  }

  return {
    statistics,
    forgetAll,
    recordChange(memberId) {
      if (kept.size === 0 && changes.size === 0 && loading === undefined) return;
      if (changes.size >= mostChanges) forgetAll();
      changes.set(memberId, { places: undefined, reading: undefined });
    },
    async listMemberIds(accountIds, page) {
      if (accountIds.length <= fewAccounts) return listMemberIds(db, accountIds, page);
      const membershipCache = membersOfEach(accountIds);
      if (membershipCache === undefined) {
        statistics.misses += 1;
        return listMemberIds(db, accountIds, page);
      }
      statistics.hits += 1;
      const changed = await changedMembers();
      return mergeMemberLists(membershipCache, { accountIds, changed, page });
    },
    async settled() {
      await loading;
    },
  };
}
