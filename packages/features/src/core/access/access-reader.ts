import { type CustomRole, isProductPermission, PERMISSIONS, type Permission } from '@gatehouse/auth-core';
import type { AccessSnapshotRow } from '@gatehouse/db/queries/find-access-snapshot';
import type { AccountState, CustomRoleRow } from '@gatehouse/db/queries/find-account-state';
import type { TokenState } from '@gatehouse/db/queries/find-token-state';
import type { GrantKeys } from '@gatehouse/db/queries/lock-grant';
import type { MachineTokenKeys } from '@gatehouse/db/queries/lock-machine-token';
import type { ApiKeyState } from '@gatehouse/db/queries/machines';
import type { PartnerTokenClaim } from '@gatehouse/db/queries/partner-secrets';
import type { PartnerRow, PartnerState } from '@gatehouse/db/queries/partners';
import type { ScimTokenState } from '@gatehouse/db/queries/scim-tokens';

/** The data that guards check: from the caches or, inside a writer's transaction, from locked rows. */
export interface AccessReader {
  /** Resolves once every change committed before this call is visible. */
  current(): Promise<void>;
  member(memberId: number): Promise<MemberSnapshot | undefined>;
  token(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  /** The current state of a token, read again even if it is known. */
  tokenAgain(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  /** The API key with this digest, and its machine; undefined if that was removed. */
  key(digest: string): Promise<HeldKey | undefined>;
  /**
   * The most scopes that an access token, which this call found valid, may have; undefined if it is no longer valid. Only readers
   * of locked rows have it: others find a token in memory.
   */
  lockedGrant?(keys: GrantKeys | MachineTokenKeys): Promise<readonly string[] | undefined>;
  account(accountId: number): Promise<AccountState | undefined>;
  /** Several accounts at once. Unknown ones are absent. */
  accounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** The same without locking them, for accounts whose changes need not wait. */
  knownAccounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** The open accounts that require a higher level than this session has. */
  accountsAbove(level: number): Promise<ReadonlySet<number>>;
  /** Whether a partner's tokens and the sessions it began are still valid. */
  partner(partnerId: number): Promise<PartnerState | undefined>;
  /** The current partner of a token. */
  partnerOfToken(claim: PartnerTokenClaim): Promise<PartnerRow | undefined>;
  /** The token of a directory with this digest, ended ones included. */
  scimToken(digest: string): Promise<ScimTokenState | undefined>;
}

/** An API key, and the machine it belongs to. */
export interface HeldKey {
  readonly machine: MemberSnapshot;
  readonly state: ApiKeyState;
}

/** A member's current state: enough to decide any of their requests without the database. */
export interface MemberSnapshot extends Omit<AccessSnapshotRow, 'memberships' | 'grants'> {
  /** Account id → role in that account; live memberships only. */
  readonly memberships: ReadonlyMap<number, number>;
  /** Ids of the accounts granted to a staff member; live grants only. */
  readonly grants: ReadonlySet<number>;
  /** Account id → the custom role in that account. */
  readonly customRoleIds: ReadonlyMap<number, number>;
  /** The same roles with the accounts' current definitions; undefined for a role that no longer exists. */
  readonly customRoles: ReadonlyMap<number, CustomRole | undefined>;
  /** Who acts for the member in an impersonation, and limits what they may do. */
  readonly actor: MemberSnapshot | undefined;
  /** The scopes of the key in whose call the snapshot of a machine is used; undefined for people. */
  readonly scopes?: ReadonlySet<string> | undefined;
}

const NO_CUSTOM_ROLES: MemberSnapshot['customRoles'] = new Map();

/** A member as read from the database. `withCustomRoles` adds the permissions of their custom roles. */
export function toMemberSnapshot(row: AccessSnapshotRow): MemberSnapshot {
  const customRoleIds = row.memberships.flatMap(({ accountId, customRoleId }) =>
    customRoleId === null ? [] : [[accountId, customRoleId] as const],
  );
  return {
    ...row,
    memberships: new Map(row.memberships.map(({ accountId, roleType }) => [accountId, roleType])),
    grants: new Set(row.grants),
    customRoleIds: new Map(customRoleIds),
    customRoles: NO_CUSTOM_ROLES,
    actor: undefined,
  };
}

/** Resolves a member's custom roles by the current states of these accounts. */
export function customRolesIn(
  { customRoleIds }: MemberSnapshot,
  accounts: ReadonlyMap<number, AccountState>,
): MemberSnapshot['customRoles'] {
  return new Map(
    [...customRoleIds].map(([accountId, roleId]) => {
      const row = accounts.get(accountId)?.customRoles.find(({ id }) => id === roleId);
      return [accountId, row && toCustomRole(row)];
    }),
  );
}

/** Permissions that no custom role grants, whatever its row says. */
export const ONLY_FOR_OWNERS: ReadonlySet<Permission> = new Set([
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
]);

/**
 * A custom role of an account. Permissions unknown to this release are ignored, and so are those of the product that
 * `roles.knownOf` does not know.
 */
export function toCustomRole({ id, name, roleType, permissions }: CustomRoleRow): CustomRole {
  return {
    id,
    name,
    roleType,
    permissions: new Set<Permission>([
      ...PERMISSIONS.filter(
        (permission) => permissions.includes(permission) && !ONLY_FOR_OWNERS.has(permission),
      ),
      ...permissions.filter(isProductPermission),
    ]),
  };
}
