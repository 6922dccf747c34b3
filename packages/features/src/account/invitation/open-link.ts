import { AppError } from '@gatehouse/auth-core';
import { findInvitation, type InvitationRow } from '@gatehouse/db';
import type { Services } from '../../core/context.js';

/** An invitation with the link that was followed. */
export interface FollowedLink {
  readonly invitation: InvitationRow;
  readonly tokenKey: string;
}

/**
 * The invitation of a link, in whatever state it is.
 * @throws {AppError} `invalid_token` if the link is not one of ours
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
