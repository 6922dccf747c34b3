import { AppError, isActiveMember } from '@gatehouse/auth-core';
import { findMemberAddress, findTokenState } from '@gatehouse/db';
import type { Services } from '../app/services.js';

/** What a link to agree to a change of address, or refuse it, stands for now. */
export interface Approval {
  readonly memberId: number;
  readonly sinceMs: number;
  /** The change it is about; undefined when it was answered before. */
  readonly change:
    | { readonly email: string; readonly pendingEmail: string; readonly pendingEmailKey: string }
    | undefined;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The change of address that a link to the present mailbox is about.
 * @throws {AppError} `invalid_token` when it is none, has expired, or its change was given up or replaced
 */
export async function findApproval(services: Services, token: string): Promise<Approval> {
  const opened = services.tokens.openOneUse(token, ['emailApproval']);
  const [member, state] = opened
    ? await Promise.all([
        findMemberAddress(services.db, opened.userId),
        findTokenState(services.db, opened.tokenKey),
      ])
    : [];
  if (!opened || opened.sinceMs === undefined || !member || !isActiveMember(services.roles, member))
    throw new AppError('invalid_token');
  const { userId: memberId, sinceMs } = opened;
  const consume = { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs };
  if (state?.isRevoked) return { memberId, sinceMs, change: undefined, consume };
  const { email, pendingEmail, pendingEmailKey } = member;
  const isAwaited = member.pendingSinceMs === sinceMs && email !== null;
  if (!isAwaited || pendingEmail === null || pendingEmailKey === null) throw new AppError('invalid_token');
  return { memberId, sinceMs, change: { email, pendingEmail, pendingEmailKey }, consume };
}
