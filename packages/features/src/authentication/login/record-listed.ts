import { type AccessTransaction, type Credential, findMember, recordListedPassword } from '@gatehouse/db';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/app/context.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';

/** A member whose password was right, and whether it is one of those that are tried first. */
export interface CheckedCredential extends Credential {
  readonly isListed?: boolean;
}

/** Whether a sign-in is the first to show that the password is listed. */
export function isNewlyListed({ isListed, passwordListedAtMs }: CheckedCredential): boolean {
  return isListed === true && passwordListedAtMs === null;
}

/** Records that the password is listed, in the sign-in's transaction, and mails the member once. */
export async function recordListed(
  tx: AccessTransaction,
  ctx: Context,
  { id: memberId, password: expectedPassword }: Credential,
): Promise<void> {
  const { services } = ctx;
  const nowMs = services.now();
  if (!(await recordListedPassword(tx, { memberId, expectedPassword, nowMs }))) return;
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  if (email !== null) {
    const data = { link: appLink(services.config, 'forgot') };
    await queueMail(tx, services, { kind: 'listedPassword', to: email, memberId, data });
  }
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'password.listed',
    actorId: null,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
}
