import { AppError, emailKey } from '@gatehouse/auth-core';
import { findMemberAddress, findTokenState, isActiveAt, isProven } from '@gatehouse/db';
import type { Services } from '../../core/context.js';

/** The current state of a password-reset link. */
export interface Reset {
  readonly memberId: number;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  readonly isConfirmed: boolean;
  /** When the forgotten password was set; null if it was never changed, undefined if somebody not proven knows it. */
  readonly passwordChangedAtMs: number | null | undefined;
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
}

/**
 * The member of a password-reset link.
 * @throws {AppError} `invalid_token` if the link is invalid, used or expired, or if the address or the
 * password has changed since. While somebody who is not proven knows the password, they may have planted the
 * address, and their changes of the password do not end it.
 */
export async function findReset(services: Services, token: string): Promise<Reset> {
  const opened = services.tokens.openOneUse(token, ['passwordReset']);
  const [member, state] = opened
    ? await Promise.all([
        findMemberAddress(services.db, opened.userId),
        findTokenState(services.db, opened.tokenKey),
      ])
    : [];
  if (!opened || !member || !isActiveAt(member, services.now())) {
    throw new AppError('invalid_token');
  }
  const { email, emailKey: key } = member;
  const isTheirs =
    email !== null && key !== null && opened.email !== undefined && emailKey(opened.email) === key;
  const mayBePlanted = !isProven(member) && member.hasPassword;
  const passwordChangedAtMs = mayBePlanted ? undefined : member.passwordChangedAtMs;
  const isSamePassword =
    passwordChangedAtMs === undefined || opened.passwordChangedAtMs === passwordChangedAtMs;
  if (!isTheirs || !isSamePassword || state?.isRevoked) throw new AppError('invalid_token');
  return {
    memberId: member.id,
    username: member.username,
    email,
    emailKey: key,
    isConfirmed: member.emailConfirmedAtMs !== null,
    passwordChangedAtMs,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
  };
}
