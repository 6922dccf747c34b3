import { AppError } from '@gatehouse/auth-core';
import { countRoleHolders } from '@gatehouse/db/queries/custom-roles';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { countMembersOfAccount } from '@gatehouse/db/queries/member-lists';
import { countGrantsOfAccount } from '@gatehouse/db/queries/personnel-grants';
import { countInvitations } from '@gatehouse/db/queries/read-invitations';
import { type AccountOverview, readAccountOverview } from '@gatehouse/db/queries/read-overviews';
import { countWebhooksOfAccount } from '@gatehouse/db/queries/read-webhooks';
import { z } from 'zod';
import { stateNow } from '../../account/invitation-state.js';
import { invitationView, toInvitationView } from '../../account/invitation-view.js';
import { accountView, toAccountView } from '../../account/staff/reached-accounts.js';
import { toWebhookView, webhookView } from '../../billing/staff/webhook-deliveries.js';
import { toCustomRole } from '../../core/access/access-reader.js';
import type { StaffContext } from '../../core/authority/require-authority.js';
import { findPlan } from '../../core/billing-plans.js';
import type { Services } from '../../core/context.js';
import { currentSubscription, currentSubscriptionView } from '../../core/current-subscription.js';
import { isInScope } from '../../core/guard/account-access.js';
import { procedure } from '../../core/guard/procedure.js';
import { personName } from '../../core/member-view.js';
import { permissionView } from '../../core/product-permissions.js';
import { placedMemberView, toPlacedMemberView } from '../../member/list-members.js';
import { ACCOUNT_ACTIONS, accountActions, givableRoles, offersIn, rolesGiven } from './account-actions.js';
import { MAX_SHOWN, someOf } from './page-parts.js';

const some = <Row extends z.ZodType>(row: Row) => z.array(row).max(MAX_SHOWN);

const maybeInstant = z.iso.datetime().nullable();

const accountPageView = z
  .object({
    account: accountView,
    /** `closed` while it can still be restored. */
    state: z.enum(['live', 'closed', 'deleted']),
    /** When the content of a closed account is erased. */
    erasedAt: maybeInstant,
    /** The primary owner; null if there is none any more. */
    owner: z
      .object({ id: z.int(), name: z.string(), email: z.string().nullable(), isDeleted: z.boolean() })
      .nullable(),
    members: some(placedMemberView),
    /** Null if the account never had one. */
    subscription: currentSubscriptionView
      .extend({
        provider: z.string().nullable(),
        /** The provider's id of the price. */
        plan: z.string().nullable(),
        /** Null for a price that BILLING_PLANS does not have. */
        planName: z.string().nullable(),
      })
      .nullable(),
    /** The roles that the account has made, by ascending id. */
    customRoles: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** The built-in role that it ranks as. */
        roleType: z.int(),
        permissions: z.array(permissionView),
        /** How many members have this role with access; 1000 stands for that many or more. */
        holders: z.int(),
        /** Whether the caller may change and remove it. */
        isChangeable: z.boolean(),
        /** Whether the caller may give it there, and invite to it. */
        isGivable: z.boolean(),
      }),
    ),
    /** The permissions that the caller may give to custom roles there; none if they may not create any. */
    givablePermissions: z.array(permissionView),
    /** The product's own permissions and their labels. */
    productPermissions: z.array(
      z.object({ name: z.string(), label: z.object({ en: z.string(), de: z.string() }) }),
    ),
    /** The newest ones, whatever their state. */
    invitations: some(invitationView),
    /** The staff who were granted the account. */
    grants: some(
      z.object({
        personnelId: z.int(),
        name: z.string(),
        email: z.string().nullable(),
        roleType: z.int(),
        role: z.string(),
        /** False while the grant, or the member who has it, is switched off. */
        active: z.boolean(),
      }),
    ),
    /** The newest deliveries of the payment providers that are about it, with those that could not be applied. */
    webhooks: some(webhookView),
    /**
     * The actions on the account that the service would not refuse the caller now, whether or not they change anything. An input
     * may still be refused, and a proof of identity required.
     */
    actions: z.array(z.enum(ACCOUNT_ACTIONS)),
    /** The built-in roles that the caller may give there, and invite to. */
    givableRoles: z.array(z.int()),
    /** The total length of each list; 1000 means that many or more. */
    counts: z.object({ members: z.int(), invitations: z.int(), grants: z.int(), webhooks: z.int() }),
  })
  .meta({ id: 'AccountPage' });

/** Everything that staff need to look after an account: the beginning of each list, closed accounts included. */
export const accountPage = procedure({ who: 'staff', permission: 'account.read', inAccounts: true })
  .meta({ about: { summary: 'See all about an account', refuses: ['not_found'] } })
  .input(z.object({ accountId: z.number().int().positive() }))
  .output(z.object({ data: accountPageView }))
  .query(async ({ ctx, input: { accountId } }) => {
    const { services, scope } = ctx;
    if (!isInScope(scope, accountId)) throw new AppError('not_found');
    const [overview, state] = await Promise.all([
      readAccountOverview(services.db, accountId, MAX_SHOWN + 1),
      services.access.account(accountId),
    ]);
    const [row] = overview.accounts;
    if (!row || !state) throw new AppError('not_found');
    const given = rolesGiven(ctx, state);
    const [{ members, invitations, grants, webhooks }, actions, customRoles] = await Promise.all([
      countLists(services, accountId, overview),
      accountActions(ctx, { row, state }),
      customRolesOf(ctx, state, given),
    ]);
    return {
      data: {
        actions,
        givableRoles: givableRoles(ctx, state),
        account: toAccountView(row),
        state: stateOf(row),
        erasedAt: row.erasesAtMs === null ? null : new Date(row.erasesAtMs).toISOString(),
        owner: ownerOf(row),
        members: members.rows.map(toPlacedMemberView(services, state)),
        subscription: state.subscription && {
          provider: row.provider,
          plan: row.plan,
          planName: findPlan(services.config.BILLING_PLANS, row.provider, row.plan)?.name ?? null,
          ...currentSubscription(services, state),
        },
        customRoles,
        givablePermissions: [...given.permissions],
        productPermissions: services.roles.product.map(({ name, label }) => ({ name, label })),
        invitations: invitations.rows,
        grants: grants.rows.map((grant) => ({
          personnelId: grant.personnelId,
          name: personName(grant),
          email: grant.email,
          roleType: grant.roleType,
          role: grant.role,
          active: grant.active && grant.isPersonnel,
        })),
        webhooks: webhooks.rows.map(toWebhookView),
        counts: {
          members: members.count,
          invitations: invitations.count,
          grants: grants.count,
          webhooks: webhooks.count,
        },
      },
    };
  });

async function customRolesOf(
  ctx: Pick<StaffContext, 'services' | 'caller'>,
  account: AccountState,
  { isChangeable }: ReturnType<typeof rolesGiven>,
) {
  const { db, roles } = ctx.services;
  const mayGive = offersIn(ctx, account);
  const own = account.customRoles.toSorted((one, other) => one.id - other.id).map(toCustomRole);
  const holders = await countRoleHolders(db, {
    accountId: account.id,
    customRoleIds: own.map(({ id }) => id),
  });
  return own.map(({ id, name, roleType, permissions }) => ({
    id,
    name,
    roleType,
    permissions: [...roles.knownOf(permissions)],
    holders: holders.get(id) ?? 0,
    isChangeable: isChangeable(roleType),
    isGivable: mayGive({ roleType, customRoleId: id }),
  }));
}

async function countLists(
  { db, roles, access, now }: Services,
  accountId: number,
  overview: Awaited<ReturnType<typeof readAccountOverview>>,
) {
  const [members, invitations, grants, webhooks] = await Promise.all([
    someOf(overview.members, () => countMembersOfAccount(db, accountId)),
    someOf(overview.invitations, () => countInvitations(db, accountId)),
    someOf(overview.grants, () => countGrantsOfAccount(db, accountId)),
    someOf(overview.webhooks, () => countWebhooksOfAccount(db, accountId)),
  ]);
  const authorize = { roles, access, nowMs: now() };
  const shown = await Promise.all(
    invitations.rows.map(async (row) =>
      toInvitationView(row, roles, await stateNow(authorize, row), { isPersonnel: true }),
    ),
  );
  return { members, invitations: { rows: shown, count: invitations.count }, grants, webhooks };
}

function stateOf({ isDeleted, erasesAtMs }: AccountOverview): 'live' | 'closed' | 'deleted' {
  if (!isDeleted) return 'live';
  return erasesAtMs === null ? 'deleted' : 'closed';
}

function ownerOf(row: AccountOverview) {
  const { ownerId, ownerUsername, ownerFirstName, ownerLastName, ownerEmail, isOwnerDeleted } = row;
  if (ownerUsername === null) return null;
  const name = personName({
    firstName: ownerFirstName ?? '',
    lastName: ownerLastName ?? '',
    username: ownerUsername,
  });
  return { id: ownerId, name, email: ownerEmail, isDeleted: isOwnerDeleted ?? false };
}
