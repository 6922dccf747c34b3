import { canonicalAddress, emailKey, vouchedAddress } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  listAddressHolders,
  listDoubtfulAddresses,
  type StoredAddresses,
} from '@gatehouse/db/queries/stored-addresses';

const PAGE = 1_000;
/** Keys in one query. */
const AT_ONCE = 500;

/** A member whose addresses can be written in their canonical form, which names the same mailboxes. */
export interface Respelling {
  readonly id: number;
  readonly before: StoredAddresses;
  readonly after: StoredAddresses;
}

/** What to do about the members whose addresses are not in their canonical form, by their ids. */
export interface RespellingPlan {
  /** Members whose addresses can be written in their canonical form. */
  readonly clear: readonly number[];
  /** Members who would share an address with another one in that form, each with one of those. */
  readonly collisions: ReadonlyMap<number, number>;
  /** Members with an address that has no canonical form, or one that names another mailbox. */
  readonly unclear: readonly number[];
}

/**
 * Reads every member, and writes nothing. It keeps the keys of those that are not in canonical form in memory, some hundred
 * bytes for each.
 * @param advance told of how many members were compared
 */
export async function planRespelling(
  db: Database,
  advance: (count: number) => void = () => undefined,
): Promise<RespellingPlan> {
  const holders = new Map<string, Set<number>>();
  const found: number[] = [];
  const unclear: number[] = [];
  for await (const { respellings, others, count } of respellingsIn(db)) {
    for (const { id, after } of respellings) {
      found.push(id);
      for (const key of keysOf(after)) holders.set(key, (holders.get(key) ?? new Set<number>()).add(id));
    }
    unclear.push(...others);
    advance(count);
  }
  await addPresentHolders(db, holders);
  const collisions = new Map<number, number>();
  for (const ids of holders.values()) {
    const [first = 0, second = 0] = ids;
    if (ids.size > 1) for (const id of ids) collisions.set(id, id === first ? second : first);
  }
  const isFound = new Set(found);
  for (const id of collisions.keys()) if (!isFound.has(id)) collisions.delete(id);
  return { clear: found.filter((id) => !collisions.has(id)), collisions, unclear };
}

/** The members whose addresses are not in canonical form, a page at a time. */
export async function* respellingsIn(db: Database): AsyncGenerator<{
  readonly respellings: readonly Respelling[];
  /** Those whose canonical form may name other mailboxes. */
  readonly others: readonly number[];
  readonly count: number;
}> {
  let afterId = 0;
  for (;;) {
    const rows = await listDoubtfulAddresses(db, afterId, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
    const respellings: Respelling[] = [];
    const others: number[] = [];
    for (const { id, ...before } of rows) {
      const after = respelled(before);
      if (after === undefined) others.push(id);
      else if (!isSame(before, after)) respellings.push({ id, before, after });
    }
    yield { respellings, others, count: rows.length };
  }
}

/** The addresses in their canonical form; undefined if that is not sure to name the same mailboxes. */
function respelled({ sid, email, pendingEmail }: StoredAddresses): StoredAddresses | undefined {
  const newSid = canonicalAddress(sid) === undefined ? sid : vouchedAddress(sid);
  const newEmail = email === null ? null : vouchedAddress(email);
  const newPending = pendingEmail === null ? null : vouchedAddress(pendingEmail);
  if (newSid === undefined || newEmail === undefined || newPending === undefined) return undefined;
  return {
    sid: newSid,
    sidKey: emailKey(newSid),
    email: newEmail,
    emailKey: newEmail,
    pendingEmail: newPending,
    pendingEmailKey: newPending,
  };
}

function isSame(before: StoredAddresses, after: StoredAddresses): boolean {
  return (
    before.sid === after.sid &&
    before.sidKey === after.sidKey &&
    before.email === after.email &&
    before.emailKey === after.emailKey &&
    before.pendingEmail === after.pendingEmail &&
    before.pendingEmailKey === after.pendingEmailKey
  );
}

/** Adds the members who have one of the keys today. */
async function addPresentHolders(db: Database, holders: ReadonlyMap<string, Set<number>>): Promise<void> {
  const keys = [...holders.keys()];
  for (let index = 0; index < keys.length; index += AT_ONCE) {
    const page = keys.slice(index, index + AT_ONCE);
    for (const { id, sidKey, emailKey: key } of await listAddressHolders(db, page)) {
      holders.get(sidKey)?.add(id);
      if (key !== null) holders.get(key)?.add(id);
    }
  }
}

/** A pending address is taken when its mailbox confirms it, not before. */
function keysOf({ sidKey, emailKey: key }: StoredAddresses): string[] {
  return key === null ? [sidKey] : [sidKey, key];
}
