import { AppError, emailKey } from '@gatehouse/auth-core';
import { findMemberAddress, isActiveAt } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { awaitedEnds } from '../core/member-view.js';

/** The current state of an activation link. */
export interface Confirmation {
  readonly memberId: number;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  /** Whether the address is to replace the member's present one. */
  readonly isPending: boolean;
  /** The session that requested a first address. */
  readonly sessionId: number | undefined;
  readonly isConfirmed: boolean;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The member and address of an activation link, even after it was used.
 * @throws {AppError} `invalid_token` if the link is invalid or expired, or for an address that is no longer
 * theirs
 */
export async function findConfirmation(services: Services, token: string): Promise<Confirmation> {
  const opened = services.tokens.openOneUse(token, ['emailVerification']);
  const member = opened && (await findMemberAddress(services.db, opened.userId));
  if (!opened || !member || !isActiveAt(member, services.now())) {
    throw new AppError('invalid_token');
  }
  // A link of the replaced system has no address; it can only be the one the member registered with.
  const key = opened.email === undefined ? member.emailKey : emailKey(opened.email);
  const isPending = opened.email !== undefined && member.pendingEmailKey === key;
  const email = isPending ? member.pendingEmail : member.email;
  if (key === null || email === null || !(isPending || member.emailKey === key)) {
    throw new AppError('invalid_token');
  }
  return {
    memberId: member.id,
    username: member.username,
    email,
    emailKey: key,
    isPending,
    sessionId: opened.sessionId,
    isConfirmed: isPending ? !awaitedEnds(member).includes('new') : member.emailConfirmedAtMs !== null,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
  };
}
