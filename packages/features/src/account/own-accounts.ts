import { AppError, decideAccess, personNameSchema, type Roles, searchKey } from '@gatehouse/auth-core';
import { insertAccount, reopenAccount, setAccountName } from '@gatehouse/db/queries/change-accounts';
import {
  type AccountDetail,
  countOwnedAccounts,
  findAccount,
  hasHadTrial,
  listOwnAccounts,
} from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../audit/change.js';
import type { MemberSnapshot } from '../core/access/access-reader.js';
import { isOwnerRole } from '../core/authority/given-role.js';
import type { Context } from '../core/context.js';
import { opensTo } from '../core/guard/level.js';
import { accountProcedure, memberProcedure, procedure } from '../core/guard/procedure.js';

/** An account as its members see it. */
export const ownAccountView = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Whether it is open, or closed and restorable. */
    state: z.enum(['live', 'closed']),
    /** The role of the caller there, and its label. */
    roleType: z.int(),
    role: z.string(),
    customRoleId: z.int().nullable(),
    isPrimaryOwner: z.boolean(),
    createdAt: z.iso.datetime(),
    /** When the data of a closed account is erased. */
    erasedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'OwnAccount' });

type OwnAccountView = z.output<typeof ownAccountView>;

/** The role of a member in an account, open or closed. */
interface OwnRole {
  readonly roleType: number;
  readonly role: string;
  readonly customRoleId: number | null;
}

/** The role of a member in an account, open or closed. */
export function ownRole(roles: Roles, member: MemberSnapshot, accountId: number): OwnRole {
  const custom = member.customRoles.get(accountId);
  if (custom) return { roleType: custom.roleType, role: custom.name, customRoleId: custom.id };
  const roleType = member.memberships.get(accountId) ?? roles.id.archived;
  return { roleType, role: roles.labelOf(roleType), customRoleId: null };
}

export function toOwnAccountView(account: AccountDetail, memberId: number, role: OwnRole): OwnAccountView {
  const { id, name, ownerId, isDeleted, erasesAtMs, createdAtMs } = account;
  return {
    id,
    name,
    state: isDeleted ? 'closed' : 'live',
    ...role,
    isPrimaryOwner: ownerId === memberId,
    createdAt: new Date(createdAtMs).toISOString(),
    erasedAt: erasesAtMs === null ? null : new Date(erasesAtMs).toISOString(),
  };
}

/** The caller's accounts, including closed ones that can be restored, without those that require a session of a higher level. */
export const listMyAccounts = memberProcedure
  .meta({ about: { summary: "List one's accounts" } })
  .input(listInput({}))
  .output(listView(ownAccountView))
  .query(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { actor, memberships } = caller.member;
    const states = await services.access.accounts([...memberships.keys()]);
    const accountIds = [...memberships.keys()].filter(
      (id) =>
        opensTo(services, caller, states.get(id)) && (actor === undefined || knows(services, actor, id)),
    );
    const rows = await listOwnAccounts(services.db, accountIds, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      ({ id }) => [id],
      (row) => toOwnAccountView(row, caller.memberId, ownRole(services.roles, caller.member, row.id)),
    );
  });

/** Whether staff who act for a member may see an account of theirs, closed ones included. */
function knows({ roles }: Context['services'], actor: MemberSnapshot, accountId: number): boolean {
  return decideAccess(roles, actor, { accountId, account: { isDeleted: false } }).access !== 'none';
}

const DAY_MS = 86_400_000;

const NEW_A_DAY = 5;

/** Opens another account owned by the caller. Only a member's first account has a trial. */
export const createAccount = procedure({ who: 'member', inPerson: true })
  .meta({
    about: { summary: 'Open another account', refuses: ['unconfirmed', 'account_limit', 'rate_limited'] },
  })
  .input(z.object({ name: personNameSchema }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { name } }) => {
    const { memberId } = ctx.caller;
    const data = await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      const { config, roles, limits } = ctx.services;
      const member = await findMember(tx, memberId);
      if (!member || member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
      if ((await countOwnedAccounts(tx, memberId)) >= config.ACCOUNTS_PER_MEMBER)
        throw new AppError('account_limit');
      const limit = {
        key: `account:create:${memberId}`,
        name: 'accounts',
        most: NEW_A_DAY,
        windowMs: DAY_MS,
      };
      await enforceLimit({ limits }, limit, tx);
      const roleType = roles.id.owner;
      const accountId = await insertAccount(tx, {
        name,
        nameKey: searchKey(name),
        ownerId: memberId,
        roleType,
        trialEndsAtMs: (await hasHadTrial(tx, memberId)) ? null : nowMs + config.TRIAL_DAYS * DAY_MS,
        nowMs,
      });
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('internal', { detail: 'an account just made is not there' });
      const role = { roleType, role: roles.labelOf(roleType), customRoleId: null };
      return {
        result: toOwnAccountView(account, memberId, role),
        record: {
          action: 'account.created',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: null,
          after: { name },
        },
      };
    });
    return { message: 'The organization has been created', data };
  });

/** Renames the account. */
export const renameAccount = accountProcedure('account.manage', { inPerson: true, programs: true })
  .meta({ about: { summary: 'Rename the account' } })
  .input(z.object({ name: personNameSchema }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { name } }) => {
    const accountId = ctx.account.id;
    const data = await changeAndRecord(
      ctx,
      { announce: { accounts: [accountId] } },
      async ({ tx, nowMs, caller }) => {
        const account = await findAccount(tx, accountId);
        if (!account) throw new AppError('account_forbidden');
        const changed = changedFields({ name: account.name }, { name });
        if (changed) await setAccountName(tx, { accountId, name, nameKey: searchKey(name), nowMs });
        const { member, memberId } = caller;
        return {
          result: toOwnAccountView(
            { ...account, name },
            memberId,
            ownRole(ctx.services.roles, member, accountId),
          ),
          record: changed && {
            action: 'account.renamed',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            ...changed,
          },
        };
      },
    );
    return { message: 'The organization has been renamed', data };
  });

/** Reopens an account that its primary owner closed, for all its members who may still sign in. */
export const restoreOwnAccount = procedure({ who: 'member', inPerson: true })
  .meta({
    about: { summary: 'Restore a closed account', refuses: ['not_found', 'grace_over', 'account_limit'] },
  })
  .input(z.object({ accountId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { accountId } }) => {
    const { roles, config } = ctx.services;
    // Otherwise two concurrent restorations could together exceed the limit.
    const subjects = { announce: { accounts: [accountId] }, lock: { members: [ctx.caller.memberId] } };
    const data = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
      const { member, memberId } = caller;
      const account = await findAccount(tx, accountId);
      const isPrimaryOwner = account?.ownerId === memberId;
      if (!account || !(isPrimaryOwner || member.memberships.has(accountId))) throw new AppError('not_found');
      const canReturn = account.erasesAtMs !== null && nowMs < account.erasesAtMs;
      if (isPrimaryOwner && account.isDeleted && !canReturn) throw new AppError('grace_over');
      const role = ownRole(roles, member, accountId);
      const isOwner = isPrimaryOwner && isOwnerRole(roles, role.roleType);
      const wasClosedByOwner = account.closedById === null || account.closedById === memberId;
      if (!isOwner || !wasClosedByOwner) throw new AppError('permission_denied');
      const restored = toOwnAccountView({ ...account, isDeleted: false, erasesAtMs: null }, memberId, role);
      if (!account.isDeleted) return { result: restored, record: undefined };
      if ((await countOwnedAccounts(tx, memberId)) >= config.ACCOUNTS_PER_MEMBER)
        throw new AppError('account_limit');
      if (!(await reopenAccount(tx, { accountId, nowMs }))) throw new AppError('grace_over');
      return {
        result: restored,
        record: {
          action: 'account.restored',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: { erasesAtMs: account.erasesAtMs },
          after: null,
        },
      };
    });
    return { message: 'The organization has been restored', data };
  });
