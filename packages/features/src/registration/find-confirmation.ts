import { AppError, emailKey, isActiveMember } from '@gatehouse/auth-core';
import { findMemberAddress } from '@gatehouse/db';
import { awaitedEnds } from '../app/member-view.js';
import type { Services } from '../app/services.js';

/** What an activation link stands for now. */
export interface Confirmation {
  readonly memberId: number;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  /** Whether the address is to take the place of the one the member has. */
  readonly isPending: boolean;
  /** The session that asked for a first address. */
  readonly sessionId: number | undefined;
  readonly isConfirmed: boolean;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The member and address an activation link was made for. It keeps showing them after it was used.
 * @throws {AppError} `invalid_token` when it is none, has expired, or is for an address that is not theirs any more
 */
export async function findConfirmation(services: Services, token: string): Promise<Confirmation> {
  const opened = services.tokens.openOneUse(token, ['emailVerification']);
  const member = opened && (await findMemberAddress(services.db, opened.userId));
  if (!opened || !member || !isActiveMember(services.roles, member)) {
    throw new AppError('invalid_token');
  }
  // A link of the replaced system does not say its address; it can only be the one the member registered with.
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
