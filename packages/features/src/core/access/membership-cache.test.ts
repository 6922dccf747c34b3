import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { listMemberIds, listMembers } from '@gatehouse/db/queries/list-members';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { searchMembers } from '@gatehouse/db/queries/search-members';
import { createTestDatabase, insertTestMember } from '@gatehouse/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { createAccessDirectory } from './access-directory.js';
import { createMembershipCache, type MembershipCacheLimits } from './membership-cache.js';

const ACCOUNTS = [1, 2, 3, 4, 5];
const NAMES = ['anna', 'hanna', 'bert', 'robert', 'an'];

/** A cache that receives changes like a service's. */
function follow(db: Database, limits: MembershipCacheLimits) {
  const membershipCache = createMembershipCache(db, { fewAccounts: 1, ...limits });
  const directory = createAccessDirectory(db, {
    now: Date.now,
    onChange: ({ memberId }) => memberId !== null && membershipCache.recordChange(memberId),
    onLost: membershipCache.forgetAll,
  });
  return { membershipCache, directory };
}

/** Requests until a page comes from memory. */
async function warm(
  membershipCache: ReturnType<typeof createMembershipCache>,
  accountIds: readonly number[],
): Promise<void> {
  const { hits } = membershipCache.statistics;
  await expect
    .poll(
      async () => {
        await membershipCache.listMemberIds(accountIds, { afterId: 0, limit: 1 });
        return membershipCache.statistics.hits;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(hits);
}

const join = (db: Database, memberId: number, accountId: number, active = true) =>
  changeAccess(db, { members: [memberId] }, (tx) =>
    setMembership(tx, { memberId, accountId, roleType: 5, active, nowMs: 1 }),
  );

const leave = (db: Database, memberId: number, accountId: number) =>
  changeAccess(db, { members: [memberId] }, (tx) => removeMembership(tx, { memberId, accountId, nowMs: 1 }));

const rename = (db: Database, memberId: number, name: string) =>
  changeAccess(db, { members: [memberId] }, (tx) => {
    const username = `${name}${memberId}`;
    return setMemberProfile(tx, { memberId, username, usernameKey: username, nowMs: 1 });
  });

const remove = (db: Database, memberId: number) =>
  changeAccess(db, { members: [memberId] }, (tx) => removeMember(tx, { memberId, nowMs: 1 }));

const step = fc.record({
  what: fc.constantFrom(
    'join' as const,
    'suspend' as const,
    'leave' as const,
    'rename' as const,
    'remove' as const,
  ),
  who: fc.nat({ max: 5 }),
  accountId: fc.constantFrom(...ACCOUNTS),
  name: fc.constantFrom(...NAMES),
});

describe('the membership cache', () => {
  it('lists the same members as the database, after any change since they were read', async () => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        fc.subarray(ACCOUNTS, { minLength: 2 }),
        async (steps, limit, accountIds) => {
          await using test = await createTestDatabase(inject('dialect'));
          const db = test.database;
          const members: number[] = [];
          for (let count = 0; count < 6; count += 1) {
            const memberships = { [ACCOUNTS[count % ACCOUNTS.length] ?? 1]: 5 };
            members.push((await insertTestMember(db, { memberships })).id);
          }
          const { membershipCache, directory } = follow(db, { mostChanges: 4 });
          await directory.current();
          await warm(membershipCache, accountIds);

          for (const { what, who, accountId, name } of steps) {
            const memberId = members[who] ?? 0;
            if (what === 'join') await join(db, memberId, accountId);
            if (what === 'suspend') await join(db, memberId, accountId, false);
            if (what === 'leave') await leave(db, memberId, accountId);
            if (what === 'rename') await rename(db, memberId, name);
            if (what === 'remove') await remove(db, memberId);
            await directory.current();
            const scope = { all: false, accountIds } as const;
            const afterId = memberId - 1 - (limit % 2);
            const page = { afterId, limit };
            expect(await listMembers(db, scope, page, membershipCache.listMemberIds)).toEqual(
              await listMembers(db, scope, page),
            );
            const search = { nameKey: 'an', after: { part: '', memberId: afterId }, limit };
            expect(await searchMembers(db, scope, search, membershipCache.listMemberIds)).toEqual(
              await searchMembers(db, scope, search),
            );
          }
          hits += membershipCache.statistics.hits;
        },
      ),
      { numRuns: 5 },
    );
    expect(hits).toBeGreaterThan(5);
  });

  it('keeps of many changes only that lists must be read again', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    const db = test.database;
    const { id } = await insertTestMember(db);
    await join(db, id, 1);
    const membershipCache = createMembershipCache(db, { fewAccounts: 1, mostChanges: 2 });
    await warm(membershipCache, [1, 2]);
    for (const memberId of [id, id + 1, id + 2]) membershipCache.recordChange(memberId);
    const { misses } = membershipCache.statistics;
    expect(await membershipCache.listMemberIds([1, 2], { afterId: 0, limit: 9 })).toEqual([id]);
    expect(membershipCache.statistics.misses).toBe(misses + 1);
  });

  it('leaves accounts of very many members to the database', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    const db = test.database;
    const ids: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { id } = await insertTestMember(db);
      await join(db, id, count === 3 ? 2 : 1);
      ids.push(id);
    }
    const membershipCache = createMembershipCache(db, { fewAccounts: 1, largestAccount: 2 });
    const list = () => membershipCache.listMemberIds([1, 2], { afterId: 0, limit: 9 });
    await list();
    await membershipCache.settled();
    expect(await list()).toEqual(ids);
    expect(membershipCache.statistics).toEqual({ hits: 0, misses: 2 });
  });

  it('discards what was being read when the cache was cleared', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    const db = test.database;
    const ids: number[] = [];
    for (let count = 0; count < 60; count += 1)
      ids.push((await insertTestMember(db, { memberships: { 1: 5 }, withSession: false })).id);
    const [first = 0, ...others] = ids;
    const membershipCache = createMembershipCache(db, { fewAccounts: 1, portion: 1 });
    const list = () => membershipCache.listMemberIds([1, 2], { afterId: 0, limit: 99 });
    expect(await list()).toEqual(ids);
    membershipCache.forgetAll();
    await leave(db, first, 1);
    await membershipCache.settled();
    expect(await list()).toEqual(others);
    await warm(membershipCache, [1, 2]);
    expect(await list()).toEqual(others);
  });

  it('does not answer from memory without a check', async () => {
    const test = await createTestDatabase(inject('dialect'));
    const db = test.database;
    const { id } = await insertTestMember(db);
    await join(db, id, 1);
    const membershipCache = createMembershipCache(db, { fewAccounts: 1 });
    await warm(membershipCache, [1, 2]);
    membershipCache.recordChange(id);
    await test[Symbol.asyncDispose]();
    await expect(membershipCache.listMemberIds([1, 2], { afterId: 0, limit: 9 })).rejects.toBeInstanceOf(
      Error,
    );
    await expect(listMemberIds(db, [1, 2], { afterId: 0, limit: 9 })).rejects.toBeInstanceOf(Error);
  });
});

/** The same database, whose reads fail later once it is away. */
function losable(db: Database) {
  const delaysMs: number[] = [];
  const lose = () =>
    new Promise((_resolve, reject) => setTimeout(reject, delaysMs.shift(), new Error('away')));
  const read = { from: () => ({ where: lose }) };
  const lost = new Proxy(db, {
    get: (target, name): unknown =>
      name === 'select' && delaysMs.length > 0 ? () => read : Reflect.get(target, name),
  });
  return { db: lost, delaysMs };
}

describe('lists during an outage of the database', () => {
  it.each([
    ['the first of them first', [10, 40]],
    ['the second of them first', [40, 10]],
  ])('are refused, each to its own caller, %s', async (_title, delays) => {
    await using own = await createTestDatabase(inject('dialect'));
    const { db, delaysMs } = losable(own.database);
    const { id } = await insertTestMember(own.database, { memberships: { 1: 5 } });
    const membershipCache = createMembershipCache(db, { fewAccounts: 1 });
    const list = () => membershipCache.listMemberIds(ACCOUNTS, { afterId: 0, limit: 10 });
    await warm(membershipCache, ACCOUNTS);
    delaysMs.push(...delays);
    membershipCache.recordChange(id);
    const first = list();
    membershipCache.recordChange(id + 1);
    const refusals = await Promise.allSettled([first, list()]);
    expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(delaysMs).toEqual([]);
    await expect.poll(() => list().catch(() => 'refused')).toEqual([id]);
  });
});
