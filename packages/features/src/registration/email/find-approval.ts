import { AppError } from '@gatehouse/auth-core';
import { findMemberAddress, findTokenState, isActiveAt } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { awaitedEnds } from '../../core/member-view.js';

/** The current state of a link to approve or refuse a change of address. */
export interface Approval {
  readonly memberId: number;
  readonly sinceMs: number;
  /** The pending change; undefined if it was answered before. */
  readonly change:
    | { readonly email: string; readonly pendingEmail: string; readonly effectiveAtMs: number | null }
    | undefined;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The change of address for a link to the present mailbox.
 * @throws {AppError} `invalid_token` if the link is invalid or has expired, or if the change was canceled or
 * replaced
 */
export async function findApproval(services: Services, token: string): Promise<Approval> {
  const opened = services.tokens.openOneUse(token, ['emailApproval']);
  const [member, state] = opened
    ? await Promise.all([
        findMemberAddress(services.db, opened.userId),
        findTokenState(services.db, opened.tokenKey),
      ])
    : [];
  if (!opened || opened.sinceMs === undefined || !member || !isActiveAt(member, services.now()))
    throw new AppError('invalid_token');
  const { userId: memberId, sinceMs } = opened;
  const consume = { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs };
  if (state?.isRevoked) return { memberId, sinceMs, change: undefined, consume };
  const { email, pendingEmail, pendingEffectiveAtMs: effectiveAtMs } = member;
  const isAwaited = member.pendingSinceMs === sinceMs && email !== null;
  if (!isAwaited || pendingEmail === null) throw new AppError('invalid_token');
  // By another link of the same change.
  if (!awaitedEnds(member).includes('old')) return { memberId, sinceMs, change: undefined, consume };
  return { memberId, sinceMs, change: { email, pendingEmail, effectiveAtMs }, consume };
}
