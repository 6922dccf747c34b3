import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccountState, findAccountState } from '@gatehouse/db/queries/find-account-state';
import { countOpenInvitations } from '@gatehouse/db/queries/invitations';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import { z } from 'zod';
import type { ChangeRecord } from '../audit/change.js';
import { changedFields } from '../audit/change.js';
import { isOwnerRole, mayOffer, type OfferedRole } from '../core/authority/given-role.js';
import type { ReachedAccount } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import { requireFresh } from '../core/guard/freshness.js';
import type { Guarded } from '../core/guard/guarded.js';
import { type AuthorizeInvitation, isVouchedFor } from './invitation-state.js';

/** A call by a member who may manage the members of an account. */
export type InviterContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;

const MAX_DAYS = 30;

const DEFAULT_DAYS = 7;

/** The number of an invitation. */
export const invitationId = z.int().positive();

/** How long a link is valid. */
export const days = z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS);

/** An invitation, identified by its link or its number. */
export const whichInvitation = z
  .object({ token: z.string().optional(), invitationId: invitationId.optional() })
  .superRefine(({ token, invitationId: id }, context) => {
    if ((token === undefined) !== (id === undefined)) return;
    context.addIssue({ code: 'custom', path: ['token'], message: 'Either token or invitationId' });
  });

/** The account of the call, as locked in the transaction. */
export async function findOwnAccount({ account }: InviterContext, tx: Database): Promise<AccountState> {
  const state = await findAccountState(tx, account.id);
  if (!state) throw new AppError('account_forbidden');
  return state;
}

/**
 * Requires that the caller may give the offered role; changing an invitation needs the same.
 * @throws {AppError} `permission_denied`
 */
export function requireOfferable(
  { services: { roles }, caller }: InviterContext,
  account: AccountState,
  offered: OfferedRole,
): void {
  if (!mayOffer(roles, caller.member, account, offered)) throw new AppError('permission_denied');
}

/**
 * Inviting to a role that owns the account needs a recent proof of identity.
 * @throws {AppError} `verification_required`
 */
export async function requireFreshFor(ctx: InviterContext, roleType: number): Promise<void> {
  if (isOwnerRole(ctx.services.roles, roleType)) await requireFresh(ctx, ctx.caller);
}

const MAX_PENDING = 100;

/**
 * Refuses another invitation if the account has reached the limit of pending ones. Void ones are not counted.
 * @throws {AppError} `invitation_limit`
 */
export async function requireRoom(authorize: AuthorizeInvitation, accountId: number): Promise<void> {
  const open = await countOpenInvitations(authorize.db, { accountId, nowMs: authorize.nowMs });
  if (open.reduce((sum, { count }) => sum + count, 0) < MAX_PENDING) return;
  let pending = 0;
  for (const group of open) {
    if (await isVouchedFor(authorize.roles, authorize.access, { accountId, ...group }))
      pending += group.count;
  }
  if (pending >= MAX_PENDING) throw new AppError('invitation_limit');
}

/** An invitation in the audit log. It has no address; the invitation's row has it as long as it may. */
export function invitationRecord(
  action: string,
  before: InvitationRow | undefined,
  after: InvitationRow,
): ChangeRecord | undefined {
  const changed = changedFields(before ? fieldsOf(before) : {}, fieldsOf(after));
  return (
    changed && {
      action,
      accountId: after.accountId,
      subjectKind: 'invitation',
      subjectId: after.id,
      ...changed,
      ...(before ? {} : { before: null }),
    }
  );
}

function fieldsOf({ roleType, customRoleId, inviterId, status, expiresAtMs }: InvitationRow) {
  return { roleType, customRoleId, inviterId, status, expiresAt: new Date(expiresAtMs).toISOString() };
}
