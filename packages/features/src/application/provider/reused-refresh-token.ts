import { changeAccess } from '@gatehouse/db/queries/change-access';
import { endGrant } from '@gatehouse/db/queries/oauth-artifacts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { StandingGrant } from '../../core/guard/grant-standing.js';
import { screenLink } from '../../mail/app-link.js';
import { mailName } from '../../mail/mail-name.js';
import { queueMail } from '../../mail/queue-mail.js';

/**
 * Ends a grant whose refresh token was sent again after its successor was issued, which means that somebody has a copy of it (RFC
 * 9700, section 4.14.2), and notifies the member. Of several concurrent reports, only the first has an effect.
 */
export async function endReusedGrant(
  ctx: Context,
  { facts, application: { id, name } }: StandingGrant,
  grantDigest: string,
): Promise<void> {
  const { call, services } = ctx;
  const { db, log, now, config, wakeups } = services;
  const { memberId, inAccountId } = facts;
  const nowMs = now();
  const isFirst = await changeAccess(db, { members: [memberId] }, async (tx) => {
    if (!(await endGrant(tx, { grantDigest, nowMs }))) return false;
    await recordAudit(tx, ctx, {
      atMs: nowMs,
      action: 'consent.token-reused',
      onBehalfOfId: memberId,
      ...(inAccountId === null ? {} : { accountId: inAccountId }),
      subjectKind: 'application',
      subjectId: id,
      before: { name, inAccountId },
      after: null,
    });
    const to = (await findMember(tx, memberId))?.email ?? null;
    const data = { application: mailName(name), atMs: nowMs, link: screenLink(config, 'you/security') };
    if (to !== null) await queueMail(tx, services, { kind: 'tokenReused', to, memberId, data });
    return true;
  });
  if (!isFirst) return;
  wakeups.wake('mail');
  const { requestId, address } = call;
  log.security({ event: 'token.revoked', requestId, address, memberId, reason: 'refresh_token_reused' });
}
