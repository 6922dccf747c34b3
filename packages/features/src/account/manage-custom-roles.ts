import {
  AppError,
  isVisible,
  mayChange,
  PERMISSIONS,
  type Permission,
  type RoleName,
  type Roles,
  searchKey,
  storableText,
} from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import {
  insertCustomRole,
  isRoleInUse,
  listRoleHolders,
  removeCustomRole,
  setCustomRole,
} from '@gatehouse/db/queries/custom-roles';
import {
  type AccountState,
  type CustomRoleRow,
  findAccountState,
} from '@gatehouse/db/queries/find-account-state';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import { ONLY_FOR_OWNERS, toCustomRole } from '../core/access/access-reader.js';
import { actingRoleIn } from '../core/authority/authority-over.js';
import { requireWithinCeiling } from '../core/authority/given-role.js';
import type { ReachedAccount } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import type { Guarded } from '../core/guard/guarded.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { MAX_PRODUCT_PERMISSIONS, permissionView } from '../core/product-permissions.js';

/** A role that a member of an account can have. */
const roleView = z
  .object({
    /** The id of a custom role; null for a built-in one. */
    id: z.int().nullable(),
    customRoleId: z.int().nullable(),
    name: z.string(),
    /** The built-in role that it is, or ranks as. */
    roleType: z.int(),
    permissions: z.array(permissionView),
    isBuiltIn: z.boolean(),
  })
  .meta({ id: 'Role' });

type RoleView = z.output<typeof roleView>;

/** The built-in roles, highest first. */
const BUILT_IN: readonly RoleName[] = [
  'admin',
  'owner',
  'accountManager',
  'manager',
  'contributor',
  'designer',
  'userMember',
];

/** The built-in roles, then the account's custom ones by ascending id. */
function roleViews(roles: Roles, account: AccountState): RoleView[] {
  const own = account.customRoles.toSorted((one, other) => one.id - other.id);
  return [
    ...BUILT_IN.map((name) => ({
      id: null,
      customRoleId: null,
      name: roles.labelOf(roles.id[name]),
      roleType: roles.id[name],
      permissions: [...roles.permissionsOf(name)],
      isBuiltIn: true,
    })),
    ...own.map((row) => toRoleView(roles, row)),
  ];
}

function toRoleView(roles: Roles, row: CustomRoleRow): RoleView {
  const { id, name, roleType, permissions } = toCustomRole(row);
  const known = [...roles.knownOf(permissions)];
  return { id, customRoleId: id, name, roleType, permissions: known, isBuiltIn: false };
}

const MAX_NAME_LENGTH = 60;

/** The name of a role, unique in its account regardless of case. */
const roleName = storableText(MAX_NAME_LENGTH)
  .refine((text) => searchKey(text).length <= MAX_NAME_LENGTH, { message: 'is too long' })
  .refine(isVisible, { message: 'must contain something visible' });

/** All permissions of the role. */
const rolePermissions = z
  .array(permissionView)
  .max(PERMISSIONS.length + MAX_PRODUCT_PERMISSIONS)
  .refine((permissions) => !permissions.some((permission) => ONLY_FOR_OWNERS.has(permission)), {
    message: `must not include ${new Intl.ListFormat('en').format(ONLY_FOR_OWNERS)}, which are for owners alone`,
  })
  .refine((permissions) => permissions.includes('account.read'), { message: 'must include account.read' })
  .refine((permissions) => !permissions.includes('member.manage') || permissions.includes('member.list'), {
    message: 'member.manage needs member.list',
  });

/**
 * The permissions of a role, each once and in the order of the table.
 * @throws {AppError} `invalid_input` for one of the product that is not configured
 */
function knownPermissions(roles: Roles, permissions: readonly Permission[]): Permission[] {
  const at = permissions.findIndex((permission) => !roles.permissions.includes(permission));
  if (at === -1) return roles.permissions.filter((permission) => permissions.includes(permission));
  const issue = { path: `permissions.${at}`, message: 'There is no such permission' };
  throw new AppError('invalid_input', { issues: [issue] });
}

/** @throws {AppError} `invalid_input` for a number that a custom role cannot rank as */
function requireCustomRank(roles: Roles, roleType: number): void {
  const { manager, contributor, designer, userMember } = roles.id;
  if ([manager, contributor, designer, userMember].includes(roleType)) return;
  const message = `must be one of ${[manager, contributor, designer, userMember].join(', ')}`;
  throw new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}

/** The roles that members of the account can have: built-in ones first, then custom ones. */
export const listRoles = accountProcedure('member.list')
  .meta({ about: { summary: 'List the roles of the account' } })
  .input(listInput({}))
  .output(
    listView(roleView).extend({
      /** The product's own permissions and their labels. */
      productPermissions: z.array(
        z.object({ name: z.string(), label: z.object({ en: z.string(), de: z.string() }) }),
      ),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { access, roles } = ctx.services;
    const account = await access.account(ctx.account.id);
    if (!account) throw new AppError('account_forbidden');
    const [shown] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = roleViews(roles, account).map((role, at) => ({ role, place: at + 1 }));
    const rest = rows.filter(({ place }) => place > shown).slice(0, input.limit + 1);
    const page = toPage(
      rest,
      input.limit,
      ({ place }) => [place],
      ({ role }) => role,
    );
    return { ...page, productPermissions: roles.product.map(({ name, label }) => ({ name, label })) };
  });

const MAX_ROLES = 20;

/** A call of somebody who manages the roles of an account. */
type RoleContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;

const saveInput = z.object({
  customRoleId: z.int().positive().optional(),
  name: roleName,
  /** The built-in role it ranks as, which older clients see: 2 to 5. */
  roleType: z.int(),
  permissions: rolePermissions,
});

/**
 * Creates or changes a custom role of the selected account. A change applies to everybody with the role from their next request on.
 */
export const roleSaving = {
  about: {
    summary: 'Make or change a role of the account',
    refuses: ['permission_denied', 'not_found', 'role_taken', 'role_limit'],
  } satisfies ProcedureAbout,
  input: saveInput,
  output: z.object({ message: z.string(), data: roleView }),
  async run(ctx: RoleContext, input: z.output<typeof saveInput>) {
    const { roles } = ctx.services;
    const { customRoleId, name, roleType } = input;
    const permissions = knownPermissions(roles, input.permissions);
    requireCustomRank(roles, roleType);
    const accountId = ctx.account.id;
    const nameKey = searchKey(name);
    if (isBuiltIn(roles, nameKey)) throw new AppError('role_taken');
    const data = await changeAndRecord(
      ctx,
      { announce: { accounts: [accountId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const account = await findAccountState(tx, accountId);
        if (!account) throw new AppError('account_forbidden');
        const before = account.customRoles.find(({ id }) => id === customRoleId);
        if (customRoleId !== undefined && !before) throw new AppError('not_found');
        const role = actingRoleIn(roles, authorized.caller.member, accountId);
        // Nobody may change a role that outranks their own, just as nobody may change a member who has one.
        if (before && !mayChange(roles, role, before.roleType)) throw new AppError('permission_denied');
        const actor = { role, permissions: authorized.account.permissions };
        requireWithinCeiling(roles, actor, { roleType, permissions: new Set<Permission>(permissions) });
        if (!before && account.customRoles.length >= MAX_ROLES) throw new AppError('role_limit');
        const changed = changedFields({ ...before }, { name, roleType, permissions });
        const written = { accountId, name, nameKey, roleType, permissions, nowMs };
        const id = changed ? await write(tx, before?.id, written) : (before?.id ?? 0);
        const holders =
          before && before.roleType !== roleType
            ? await listRoleHolders(tx, { customRoleId: id, accountId })
            : [];
        return {
          result: toRoleView(roles, { id, name, roleType, permissions }),
          record: changed && {
            action: before ? 'role.changed' : 'role.made',
            accountId,
            subjectKind: 'role',
            subjectId: id,
            ...changed,
            events: holders.map((memberId) => ({
              type: 'membership.roleChanged',
              memberId,
              accountId,
              ...(before && { previousRoleType: before.roleType }),
              source: 'owner',
            })),
          },
        };
      },
    );
    return { message: 'The role is saved', data };
  },
};

async function write(
  tx: AccessTransaction,
  id: number | undefined,
  role: Parameters<typeof insertCustomRole>[1],
): Promise<number> {
  const written = id === undefined ? insertCustomRole(tx, role) : setCustomRole(tx, { id, ...role });
  const made = await written.catch((error: unknown) => {
    throw error instanceof DuplicateKeyError ? new AppError('role_taken', { cause: error }) : error;
  });
  return made ?? id ?? 0;
}

function isBuiltIn(roles: Roles, nameKey: string): boolean {
  return Object.values(roles.id).some((roleType) => searchKey(roles.labelOf(roleType)) === nameKey);
}

const removeInput = z.object({ customRoleId: z.int().positive() });

/** Removes a custom role of the selected account that no member has. */
export const roleRemoval = {
  about: {
    summary: 'Remove a role of the account',
    refuses: ['permission_denied', 'not_found', 'role_in_use'],
  } satisfies ProcedureAbout,
  input: removeInput,
  output: z.object({ message: z.string() }),
  async run(ctx: RoleContext, { customRoleId }: z.output<typeof removeInput>) {
    const accountId = ctx.account.id;
    await changeAndRecord(ctx, { announce: { accounts: [accountId] } }, async ({ tx, caller }) => {
      const account = await findAccountState(tx, accountId);
      const role = account?.customRoles.find(({ id }) => id === customRoleId);
      if (!role) throw new AppError('not_found');
      const acting = actingRoleIn(ctx.services.roles, caller.member, accountId);
      // As in `role.save`: nobody changes a role that outranks their own.
      if (!mayChange(ctx.services.roles, acting, role.roleType)) throw new AppError('permission_denied');
      if (await isRoleInUse(tx, { customRoleId, accountId })) throw new AppError('role_in_use');
      await removeCustomRole(tx, { id: customRoleId, accountId });
      return {
        result: undefined,
        record: {
          action: 'role.removed',
          accountId,
          subjectKind: 'role',
          subjectId: customRoleId,
          before: role,
          after: null,
        },
      };
    });
    return { message: 'The role is removed' };
  },
};

/**
 * Creates or changes a custom role. A change applies to everybody with the role from their next request on.
 */
export const saveRole = accountProcedure('account.manage', { inPerson: true })
  .meta({ about: roleSaving.about })
  .input(roleSaving.input)
  .output(roleSaving.output)
  .mutation(({ ctx, input }) => roleSaving.run(ctx, input));

/** Removes a custom role that no member has. */
export const removeRole = accountProcedure('account.manage', { inPerson: true })
  .meta({ about: roleRemoval.about })
  .input(roleRemoval.input)
  .output(roleRemoval.output)
  .mutation(({ ctx, input }) => roleRemoval.run(ctx, input));
