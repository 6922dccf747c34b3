import type { Database } from '@gatehouse/db/database';
import { listAccountsAbove } from '@gatehouse/db/queries/account-policy';
import {
  type ApplicationState,
  findApplicationId,
  findApplicationState,
} from '@gatehouse/db/queries/applications';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import {
  type AccountState,
  findAccountState,
  findAccountStates,
} from '@gatehouse/db/queries/find-account-state';
import { findTokenState, type TokenState } from '@gatehouse/db/queries/find-token-state';
import type { AccessChange } from '@gatehouse/db/queries/list-access-changes';
import { type ApiKeyState, findKeyState } from '@gatehouse/db/queries/machines';
import { findPartnerOfToken } from '@gatehouse/db/queries/partner-secrets';
import { findPartnerState, type PartnerState } from '@gatehouse/db/queries/partners';
import { findMember, type MemberDetail } from '@gatehouse/db/queries/read-members';
import { findScimTokenState } from '@gatehouse/db/queries/scim-tokens';
import { LRUCache } from 'lru-cache';
import {
  type AccessReader,
  customRolesIn,
  type HeldKey,
  type MemberSnapshot,
  toMemberSnapshot,
} from './access-reader.js';
import { createChangeFeed } from './change-feed.js';
import { createReadIndex } from './read-index.js';

export interface AccessDirectory extends AccessReader {
  /** A member's name and mail address; undefined when they are gone. */
  profile(member: MemberSnapshot): Promise<MemberDetail | undefined>;
  /** An application with its secrets; undefined when it was removed. */
  application(applicationId: number): Promise<ApplicationState | undefined>;
  /** The application with a client id. */
  client(clientId: string): Promise<ApplicationState | undefined>;
  /** How far this node has read the log of changes. */
  logPosition(): number;
  readonly statistics: AccessStatistics;
  /** The longest, in milliseconds, that a call has waited for the state it needs, since this was last asked. */
  takeSlowestMs(): number;
  /** From now on reads of the log begin this many milliseconds apart while calls arrive together; 0 by default. */
  spaceReads(intervalMs: number): void;
}

interface AccessStatistics {
  /** How often the current state was requested: once per guarded request. */
  checks: number;
  /** Reads of the change log. One may serve many requests. */
  changeReads: number;
  /** How often the cache was cleared because the log was not provably complete. */
  losses: number;
  /** Reads of members, tokens or accounts missing from the cache. */
  loads: number;
  /** When the change log was last read to its end, in monotonic milliseconds. */
  readAtMs: number;
}

interface AccessDirectoryOptions {
  /** The current time in epoch milliseconds, which decides whether bans have ended. */
  now: () => number;
  /** How long a caller waits for the current state, in milliseconds. */
  timeoutMs?: number;
  /** The cache size: members, memberships, grants and tokens together. */
  capacity?: number;
  /** Called for each change that this node has just read. */
  onChange?: (change: AccessChange) => void;
  /** The minimum age of a gap in the log before it is filled, in milliseconds. */
  settleAfterMs?: number;
}

interface MemberEntry extends MemberSnapshot {
  readonly tokens: Map<string, Promise<TokenState>>;
  /** The keys of a machine; people have none. */
  readonly keys: Map<string, Promise<ApiKeyState | undefined>> | undefined;
  /** When it has to be read again. The end of a ban by time and that of an upgrade write no change. */
  readonly expiresAtMs: number;
  profile: Promise<MemberDetail | undefined> | undefined;
  /** The snapshot with its custom roles resolved, valid for these account states. */
  resolved:
    | { readonly accounts: ReadonlyMap<number, AccountState>; readonly member: MemberEntry }
    | undefined;
}

interface AccountsAbove {
  readonly ids: ReadonlySet<number>;
  readonly expiresAtMs: number;
}

const TOKENS_PER_MEMBER = 64;
const KNOWN_KEYS = 10_000;
const KNOWN_CLIENTS = 10_000;
const LEVELS = 3;

/** The end of an account's days of grace writes no change. */
const ABOVE_LASTS_MS = 1_000;

/**
 * Caches members, tokens and accounts in bounded memory, and drops each when the change log names it. Call
 * `current()` first: later reads are at least as fresh as that call. Every method rejects while the database
 * fails, so unchecked data is never returned.
 */
export function createAccessDirectory(db: Database, options: AccessDirectoryOptions): AccessDirectory {
  const { now } = options;
  const statistics: AccessStatistics = {
    checks: 0,
    changeReads: 0,
    losses: 0,
    loads: 0,
    readAtMs: performance.now(),
  };
  const capacity = options.capacity ?? 500_000;
  const members = createSnapshotCache<MemberEntry>(
    capacity,
    (entry) => entry.memberships.size + entry.grants.size + 8,
  );
  const accounts = createSnapshotCache<AccountState>(capacity, (state) => state.customRoles.length + 1);
  const partners = createSnapshotCache<PartnerState>(capacity, () => 1);
  const applications = createSnapshotCache<ApplicationState>(capacity, () => 1);
  /** Level → the accounts that need more. */
  const above = createSnapshotCache<AccountsAbove>(LEVELS, () => 1);

  /** Digest of a key → its machine. Neither changes, so no change of access concerns it. */
  const keyHolders = new LRUCache<string, number>({ maxSize: KNOWN_KEYS, sizeCalculation: () => 1 });

  /** Client id → its application. Neither changes. */
  const clients = new LRUCache<string, number>({ maxSize: KNOWN_CLIENTS, sizeCalculation: () => 1 });

  /** How many changes and losses this node has seen. */
  let seen = 0;

  const feed = createChangeFeed(db, {
    ...(options.settleAfterMs === undefined ? {} : { settleAfterMs: options.settleAfterMs }),
    onChange(change) {
      if (isTombstone(change)) return;
      seen += 1;
      options.onChange?.(change);
      if (change.memberId !== null) members.forget(change.memberId);
      if (change.accountId !== null) {
        accounts.forget(change.accountId);
        above.forgetAll();
      }
      if (change.partnerId !== null) partners.forget(change.partnerId);
      if (change.applicationId !== null) applications.forget(change.applicationId);
    },
    onLost() {
      statistics.losses += 1;
      seen += 1;
      members.forgetAll();
      accounts.forgetAll();
      above.forgetAll();
      partners.forgetAll();
      applications.forgetAll();
    },
  });
  let slowestMs = 0;
  const readIndex = createReadIndex(
    async () => {
      statistics.changeReads += 1;
      await feed.read();
      statistics.readAtMs = performance.now();
    },
    {
      timeoutMs: options.timeoutMs ?? 5_000,
      onServed(waitedMs) {
        slowestMs = Math.max(slowestMs, waitedMs);
      },
    },
  );

  const account = (accountId: number) =>
    accounts.get(accountId, () => {
      statistics.loads += 1;
      return findAccountState(db, accountId);
    });

  const application = (applicationId: number) =>
    applications.get(applicationId, () => {
      statistics.loads += 1;
      return findApplicationState(db, applicationId);
    });

  /** Reads all accounts that are missing from the cache at once. */
  function readAccounts(accountIds: readonly number[]): Promise<(AccountState | undefined)[]> {
    let reading: ReturnType<typeof findAccountStates> | undefined;
    const readAll = () => {
      if (reading === undefined) statistics.loads += 1;
      reading ??= findAccountStates(db, accountIds);
      return reading;
    };
    return Promise.all(accountIds.map((id) => accounts.get(id, async () => (await readAll()).get(id))));
  }

  async function accountStates(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>> {
    const states = accountIds.map((id) => accounts.known(id));
    const missing = accountIds.filter((_, at) => states[at] === undefined);
    if (missing.length > 0) states.push(...(await readAccounts(missing)));
    const present = new Map<number, AccountState>();
    for (const state of states) if (state) present.set(state.id, state);
    return present;
  }

  /** A custom role's permissions belong to its account's state, so one change reaches every member with the role. */
  async function withCustomRoles(entry: MemberEntry): Promise<MemberEntry> {
    const present = await accountStates([...entry.customRoleIds.keys()]);
    const { resolved } = entry;
    if (
      resolved &&
      [...entry.customRoleIds.keys()].every((id) => resolved.accounts.get(id) === present.get(id))
    )
      return resolved.member;
    const member = { ...entry, customRoles: customRolesIn(entry, present), profile: undefined };
    entry.resolved = { accounts: present, member };
    return member;
  }

  function readToken(member: MemberSnapshot, tokenKey: string): Promise<TokenState> {
    const { tokens } = ownEntry(member);
    statistics.loads += 1;
    const loading = findTokenState(db, tokenKey);
    if (tokens.size >= TOKENS_PER_MEMBER) tokens.clear();
    tokens.set(tokenKey, loading);
    loading.catch(() => tokens.delete(tokenKey));
    return loading;
  }

  function readKey(machine: MemberSnapshot, digest: string): Promise<ApiKeyState | undefined> {
    statistics.loads += 1;
    const loading = findKeyState(db, digest);
    keepKey(machine, digest, loading);
    loading.catch(() => ownEntry(machine).keys?.delete(digest));
    return loading;
  }

  function keepKey(machine: MemberSnapshot, digest: string, state: Promise<ApiKeyState | undefined>): void {
    const { keys } = ownEntry(machine);
    if (keys !== undefined && keys.size >= TOKENS_PER_MEMBER) keys.clear();
    keys?.set(digest, state);
  }

  /** A key whose machine is not known yet. Its state is kept with the machine, unless a change has been seen since it was read. */
  async function findKey(digest: string): Promise<HeldKey | undefined> {
    const before = seen;
    statistics.loads += 1;
    const state = await findKeyState(db, digest);
    if (state === undefined) return undefined;
    keyHolders.set(digest, state.machineId);
    const machine = await member(state.machineId);
    if (!machine?.machine) return undefined;
    if (seen === before) keepKey(machine, digest, Promise.resolve(state));
    return { machine, state };
  }

  async function member(memberId: number): Promise<MemberEntry | undefined> {
    const known = members.known(memberId);
    if (known !== undefined && now() >= known.expiresAtMs) members.forget(memberId);
    const entry = await members.get(memberId, async () => {
      statistics.loads += 1;
      const nowMs = now();
      const row = await findAccessSnapshot(db, memberId, nowMs);
      if (row === undefined) return undefined;
      const expiresAtMs = row.banEndsAtMs ?? Number.POSITIVE_INFINITY;
      const own = {
        tokens: new Map(),
        keys: row.machine === null ? undefined : new Map(),
        expiresAtMs,
        profile: undefined,
        resolved: undefined,
      };
      return { ...toMemberSnapshot(row), ...own };
    });
    return entry === undefined || entry.customRoleIds.size === 0 ? entry : withCustomRoles(entry);
  }

  return {
    statistics,
    logPosition: feed.position,
    spaceReads: readIndex.spaceReads,
    takeSlowestMs() {
      const longest = slowestMs;
      slowestMs = 0;
      return longest;
    },
    current() {
      statistics.checks += 1;
      return readIndex.current();
    },
    member,
    token: (member, tokenKey) => ownEntry(member).tokens.get(tokenKey) ?? readToken(member, tokenKey),
    tokenAgain: readToken,
    async key(digest) {
      const machineId = keyHolders.get(digest);
      if (machineId === undefined) return findKey(digest);
      const machine = await member(machineId);
      if (!machine?.machine) return undefined;
      const state = await (machine.keys?.get(digest) ?? readKey(machine, digest));
      return state && { machine, state };
    },
    account,
    accounts: accountStates,
    knownAccounts: accountStates,
    async accountsAbove(level) {
      const nowMs = now();
      const known = above.known(level);
      if (known !== undefined && nowMs >= known.expiresAtMs) above.forget(level);
      const found = await above.get(level, async () => {
        statistics.loads += 1;
        const ids = new Set(await listAccountsAbove(db, { level, nowMs }));
        return { ids, expiresAtMs: nowMs + ABOVE_LASTS_MS };
      });
      return found?.ids ?? new Set();
    },
    partner: (partnerId) =>
      partners.get(partnerId, () => {
        statistics.loads += 1;
        return findPartnerState(db, partnerId);
      }),
    application,
    async client(clientId) {
      const known = clients.get(clientId);
      if (known !== undefined) return application(known);
      statistics.loads += 1;
      const id = await findApplicationId(db, clientId);
      if (id === undefined) return undefined;
      clients.set(clientId, id);
      return application(id);
    },
    partnerOfToken: (claim) => findPartnerOfToken(db, claim),
    scimToken: (digest) => findScimTokenState(db, digest),
    profile(member) {
      const entry = ownEntry(member);
      if (!entry.profile) {
        statistics.loads += 1;
        entry.profile = findMember(db, member.id);
        entry.profile.catch(() => {
          entry.profile = undefined;
        });
      }
      return entry.profile;
    },
  };
}

function isTombstone({ memberId, accountId, partnerId, applicationId }: AccessChange): boolean {
  return memberId === null && accountId === null && partnerId === null && applicationId === null;
}

/** Token verdicts are stored in the member's snapshot, so both are dropped together. */
function ownEntry(member: MemberSnapshot): MemberEntry {
  if (!('tokens' in member) || !(member.tokens instanceof Map)) {
    throw new TypeError('A member snapshot must come from the directory that is asked');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this directory adds `tokens` to a snapshot, and the line above has seen it there.
  return member as MemberEntry;
}

interface SnapshotCache<Value extends object> {
  get(id: number, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** The cached entries. */
  known(id: number): Value | undefined;
  forget(id: number): void;
  forgetAll(): void;
}

/**
 * A bounded cache that handles changes during a load: a value whose change arrives meanwhile goes to the
 * callers already waiting, and is not cached.
 */
function createSnapshotCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): SnapshotCache<Value> {
  const kept = new LRUCache<number, Value>({ maxSize, maxEntrySize: maxSize, sizeCalculation: sizeOf });
  const loading = new Map<number, Promise<Value | undefined>>();

  async function fetchValue(id: number, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const pending = load();
    loading.set(id, pending);
    try {
      const value = await pending;
      if (loading.get(id) === pending && value !== undefined) kept.set(id, value);
      return value;
    } finally {
      if (loading.get(id) === pending) loading.delete(id);
    }
  }

  return {
    get(id, load) {
      const value = kept.get(id);
      if (value !== undefined) return Promise.resolve(value);
      return loading.get(id) ?? fetchValue(id, load);
    },
    known: (id) => kept.get(id),
    forget(id) {
      kept.delete(id);
      loading.delete(id);
    },
    forgetAll() {
      kept.clear();
      loading.clear();
    },
  };
}
