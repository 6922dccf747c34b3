import { AppError } from '@gatehouse/auth-core';
import { findLimit } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { MAIL_KINDS, type MailKindName } from './mail-kinds.js';
import { mailLimitKey } from './queue-mail.js';

/** The refusal of a mail to an address that has had its share of this kind: `rate_limited`, with the time until the next. */
export async function mailLimitError(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { kind, to, name }: { kind: MailKindName; to: string; name: string },
): Promise<AppError> {
  const window = await findLimit(db, mailLimitKey(kind, to));
  const endMs = window?.endsAtMs ?? now();
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - now()) / 1000)),
    policy: { name, quota: MAIL_KINDS[kind].mostPerHour, windowSeconds: 3600 },
  });
}
