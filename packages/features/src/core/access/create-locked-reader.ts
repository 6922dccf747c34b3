import type { Database } from '@gatehouse/db/database';
import { listAccountsAbove } from '@gatehouse/db/queries/account-policy';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { findAccountState, findAccountStates } from '@gatehouse/db/queries/find-account-state';
import { findTokenState, type TokenState } from '@gatehouse/db/queries/find-token-state';
import { lockGrant } from '@gatehouse/db/queries/lock-grant';
import { lockMachineToken } from '@gatehouse/db/queries/lock-machine-token';
import {
  type LockMode,
  lockAccountRows,
  lockApiKey,
  lockMemberRow,
  lockReach,
  lockToken,
} from '@gatehouse/db/queries/lock-rows';
import { findKeyState } from '@gatehouse/db/queries/machines';
import { findPartnerOfToken } from '@gatehouse/db/queries/partner-secrets';
import { findPartnerState, lockPartner } from '@gatehouse/db/queries/partners';
import { findScimTokenState, lockScimToken } from '@gatehouse/db/queries/scim-tokens';
import type { AccessReader, MemberSnapshot } from './access-reader.js';
import { customRolesIn, toMemberSnapshot } from './access-reader.js';

export interface LockedReader extends AccessReader {
  /** Locks accounts to check or change. Call it before locking members. */
  lockAccounts(accountIds: readonly number[], mode: LockMode): Promise<void>;
  /** Locks a member to check or change. Lock members in the order of their ids. */
  lockMember(memberId: number, mode: LockMode): Promise<void>;
}

/**
 * Reads within a transaction at a given time, and locks what it reads until the end, so that decisions stay
 * valid.
 */
export function createLockedReader(tx: Database, nowMs: number): LockedReader {
  const heldAccounts = new Set<number>();
  const heldMembers = new Set<number>();

  async function lockAccounts(accountIds: readonly number[], mode: LockMode): Promise<void> {
    const others = accountIds.filter((id) => !heldAccounts.has(id));
    if (others.length === 0) return;
    await lockAccountRows(tx, others, mode);
    for (const id of others) heldAccounts.add(id);
  }

  async function lockMember(memberId: number, mode: LockMode): Promise<void> {
    if (heldMembers.has(memberId)) return;
    await lockMemberRow(tx, memberId, mode);
    heldMembers.add(memberId);
  }

  async function token(tokenKey: string): Promise<TokenState> {
    await lockToken(tx, tokenKey);
    return findTokenState(tx, tokenKey);
  }

  async function member(memberId: number): Promise<MemberSnapshot | undefined> {
    await lockMember(memberId, 'share');
    await lockReach(tx, memberId);
    const row = await findAccessSnapshot(tx, memberId, nowMs);
    const found = row && toMemberSnapshot(row);
    if (found === undefined || found.customRoleIds.size === 0) return found;
    const accounts = await findAccountStates(tx, [...found.customRoleIds.keys()]);
    return { ...found, customRoles: customRolesIn(found, accounts) };
  }

  return {
    lockAccounts,
    lockMember,
    current: () => Promise.resolve(),
    member,
    token: (_member, tokenKey) => token(tokenKey),
    tokenAgain: (_member, tokenKey) => token(tokenKey),
    async key(digest) {
      // The machine is locked already, as the caller is.
      await lockApiKey(tx, digest);
      const state = await findKeyState(tx, digest);
      if (state === undefined) return undefined;
      const machine = await member(state.machineId);
      return machine?.machine ? { machine, state } : undefined;
    },
    lockedGrant: (keys) => ('grantDigest' in keys ? lockGrant(tx, keys) : lockMachineToken(tx, keys)),
    async account(accountId) {
      await lockAccounts([accountId], 'share');
      return findAccountState(tx, accountId);
    },
    async accounts(accountIds) {
      await lockAccounts(accountIds, 'share');
      return findAccountStates(tx, accountIds);
    },
    knownAccounts: (accountIds) => findAccountStates(tx, accountIds),
    accountsAbove: async (level) => new Set(await listAccountsAbove(tx, { level, nowMs })),
    async partner(partnerId) {
      await lockPartner(tx, { id: partnerId }, null);
      return findPartnerState(tx, partnerId);
    },
    async partnerOfToken(claim) {
      await lockPartner(tx, claim.name, claim.secretId);
      return findPartnerOfToken(tx, claim);
    },
    async scimToken(digest) {
      await lockScimToken(tx, digest);
      return findScimTokenState(tx, digest);
    },
  };
}
