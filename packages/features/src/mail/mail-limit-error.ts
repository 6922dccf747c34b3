import { AppError } from '@gatehouse/auth-core';
import type { Services } from '../app/services.js';
import { MAIL_KINDS, type MailKindName } from './mail-kinds.js';
import { mailLimitKey } from './queue-mail.js';

/** The refusal of a mail to an address that has had its share of this kind: `rate_limited`, with the time until the next. */
export async function mailLimitError(
  { limits }: Pick<Services, 'limits'>,
  { kind, to, name }: { kind: MailKindName; to: string; name: string },
): Promise<AppError> {
  const most = MAIL_KINDS[kind].mostPerHour;
  const leftMs = (await limits.usedUpFor({ key: mailLimitKey(kind, to), most })) ?? 0;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    policy: { name, quota: most, windowSeconds: 3600 },
  });
}
