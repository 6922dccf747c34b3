import { AppError, emailKey } from '@gatehouse/auth-core';
import { type Credential, findCredentialById, hasConnection } from '@gatehouse/db';
import { memberInPartnerSession, UNNAMED_PARTNER } from '../access/partner-session.js';
import type { Context } from '../context.js';

export interface RedeemedToken {
  readonly member: Credential;
  /** To be used up in the transaction that makes the session: of two uses at once, one is refused. */
  readonly consume: { readonly tokenKey: string; readonly expiresAtMs: number };
  readonly partnerId: number | undefined;
}

/**
 * The member that a social callback or partner login token stands for.
 * @throws {AppError} `invalid_token`, whatever is wrong with it.
 */
export async function redeemLoginToken(
  ctx: Context,
  request: {
    token: string | undefined;
    email: string | undefined;
    accepts: readonly ('socialLogin' | 'partnerLogin')[];
  },
): Promise<RedeemedToken> {
  const { kit } = ctx;
  const opened = kit.tokens.openOneUse(request.token ?? '', request.accepts);
  const member = opened && (await findCredentialById(kit.db, opened.userId));
  const isOpen = member !== undefined && !member.isDeleted && member.roleType !== kit.roles.id.archived;
  if (!opened || !isOpen) throw new AppError('invalid_token');
  const isTheirs =
    request.email === undefined || [member.emailKey, member.sidKey].includes(emailKey(request.email));
  const { connectionId: id } = opened;
  const isCutOff = id !== undefined && !(await hasConnection(kit.db, { id, memberId: member.id }));
  if (!isTheirs || isCutOff || (await isOlderThanTheEndOfSessions(ctx, member.id, opened.issuedAtMs))) {
    throw new AppError('invalid_token');
  }
  const partnerId = opened.kind === 'partnerLogin' ? (opened.partnerId ?? UNNAMED_PARTNER) : undefined;
  if (
    partnerId !== undefined &&
    !(await mayPartnerSignOn(ctx, member, { partnerId, issuedAtMs: opened.issuedAtMs }))
  ) {
    throw new AppError('invalid_token');
  }
  return {
    member,
    consume: { tokenKey: opened.tokenKey, expiresAtMs: opened.expiresAtMs },
    partnerId,
  };
}

/**
 * Whether every session of the member has been ended since the token was made: then what was on its way to one is
 * over too. Tokens know their age by the second, so one of the same second counts as younger.
 */
async function isOlderThanTheEndOfSessions(
  { kit: { access } }: Context,
  memberId: number,
  issuedAtMs: number,
): Promise<boolean> {
  await access.current();
  const snapshot = await access.member(memberId);
  return issuedAtMs + 1000 <= (snapshot?.tokensValidAfterMs ?? Number.POSITIVE_INFINITY);
}

/** What would not be a session any more is not made one. */
async function mayPartnerSignOn(
  ctx: Context,
  member: Credential,
  signOn: { readonly partnerId: number; readonly issuedAtMs: number },
): Promise<boolean> {
  const { access } = ctx.kit;
  await access.current();
  const snapshot = await access.member(member.id);
  return snapshot !== undefined && (await memberInPartnerSession(access, snapshot, signOn)) !== undefined;
}
