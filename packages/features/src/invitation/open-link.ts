import { AppError } from '@gatehouse/auth-core';
import { findInvitation, type InvitationRow } from '@gatehouse/db';
import type { Services } from '../app/services.js';

/** An invitation whose link somebody has. */
export interface FollowedLink {
  readonly invitation: InvitationRow;
  readonly tokenKey: string;
}

/**
 * The invitation that a link was made for, whatever has become of it.
 * @throws {AppError} `invalid_token` when it is no link of ours
 */
export async function openLink(
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  token: string,
): Promise<FollowedLink> {
  const opened = tokens.openInvitation(token);
  const invitation = opened && (await findInvitation(db, opened.invitationId));
  if (!opened || !invitation) throw new AppError('invalid_token');
  return { invitation, tokenKey: opened.tokenKey };
}
