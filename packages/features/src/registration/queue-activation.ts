import type { Database } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

/**
 * Writes the mail that asks a member to confirm an address: their present one, or the one to replace it.
 * @returns false if the address has reached the limit of such mails
 */
export async function queueActivation(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now' | 'tokens'>,
  {
    memberId,
    email,
    sessionId,
    share,
  }: { memberId: number; email: string; sessionId?: number | undefined; share?: 'staff' | undefined },
): Promise<boolean> {
  const payload = {
    type: 'emailVerification',
    userId: memberId,
    email,
    ...(sessionId === undefined ? {} : { sessionId }),
  } as const;
  const { token } = services.tokens.sealOneUse(payload, services.config.JWT_EXPIRES_IN);
  const link = appLink(services.config, 'confirm', token);
  return queueMail(tx, services, { kind: 'activation', to: email, memberId, share, data: { link } });
}
