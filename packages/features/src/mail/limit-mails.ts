import { AppError, emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMailReader } from '@gatehouse/db/queries/list-mails';
import { insertMail } from '@gatehouse/db/queries/mail-queue';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import type { Context, Services } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import type { AskedFrom } from '../core/rate-limit/known-device.js';
import { MAIL_KINDS, type MailKindName } from './mail-kinds.js';

/** What limits a mail. */
export interface LimitedMail {
  readonly kind: MailKindName;
  readonly to: string;
  readonly memberId?: number;
  /** Where it was asked for; `elsewhere` if that does not matter. Each place has its own bound. */
  readonly share?: AskedFrom | 'staff' | undefined;
  readonly isVoid?: boolean;
  /** Whether the address was confirmed by the member until another replaced it. */
  readonly isFormer?: boolean;
}

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/** No member has this id. A mail to an unknown address runs the same reads as one to a member. */
export const NOBODY = Number.MAX_SAFE_INTEGER;

/**
 * How many mails of each sort that strangers can start one address gets, of all its kinds together: 10 in an hour and 20 in a day
 * of both.
 */
const FROM_ANYWHERE = { anHour: 5, aDay: 10 };

/** The same, if requested from a place where the owner of the address signed in recently. */
const FROM_FAMILIAR = { anHour: 10, aDay: 20 };

/** How many mails above a bound staff see of one address in a day. */
const MAX_HELD = 20;

/**
 * Counts a mail against the limits of its address, in the caller's transaction. Call `storeHeldMail` if it is above one. A
 * familiar place is considered only for members whose address is proven: others may have planted it. A notice to an address that
 * its member never confirmed is written only if staff caused it: its member can cause any number of them.
 * @returns whether it may be written
 */
export async function consumeMailLimit(
  tx: Database,
  services: Pick<Services, 'limits'>,
  mail: LimitedMail,
): Promise<boolean> {
  const reader = await findMailReader(tx, mail.memberId ?? NOBODY);
  const share = mail.share === 'staff' || reader?.isProven ? mail.share : undefined;
  const isOwners = mail.isFormer === true || reader?.confirmedKey === emailKey(mail.to);
  if (MAIL_KINDS[mail.kind].countedAs === 'notice' && !isOwners && share !== 'staff') return false;
  for (const limit of limitsOf({ ...mail, share }, reader?.isProven)) {
    const { isAllowed } = await services.limits.consume(limit, tx);
    if (!isAllowed) return false;
  }
  return true;
}

/**
 * Notes a mail that is above a bound of its address, for staff: it has no text and is never delivered.
 * @returns its id; undefined once many were noted within a day
 */
export async function storeHeldMail(
  tx: Database,
  services: Pick<Services, 'limits' | 'now'>,
  { kind, to, memberId, isVoid = false }: LimitedMail,
): Promise<number | undefined> {
  const key = `mail:held:${addressDigest(to)}`;
  const { isAllowed } = await services.limits.consume({ key, most: MAX_HELD, windowMs: DAY_MS }, tx);
  if (!isAllowed) return undefined;
  return insertMail(tx, {
    idempotencyKey: randomId(),
    kind,
    memberId: isVoid ? null : (memberId ?? null),
    recipient: isVoid ? '' : to,
    subject: '',
    text: '',
    html: '',
    state: isVoid ? 'void' : 'held',
    nowMs: services.now(),
  });
}

/** The bounds of a mail to a member whose owner is proven, or to anybody else. */
function limitsOf({ kind, to, share = 'elsewhere' }: LimitedMail, isProven = false): Limit[] {
  const counted = MAIL_KINDS[kind];
  const digest = addressDigest(to);
  if ('mostPerHour' in counted && (counted.countedAs !== 'codes' || isProven))
    return [{ key: `mail:${kind}:${digest}:${share}`, most: counted.mostPerHour, windowMs: HOUR_MS }];
  const sort = counted.countedAs === 'codes' ? 'signIn' : counted.countedAs;
  const { anHour, aDay } = share === 'device' || share === 'network' ? FROM_FAMILIAR : FROM_ANYWHERE;
  return [
    { key: `mail:${sort}:${digest}:${share}:hour`, most: anHour, windowMs: HOUR_MS },
    { key: `mail:${sort}:${digest}:${share}:day`, most: aDay, windowMs: DAY_MS },
  ];
}

function addressDigest(to: string): string {
  return sha256Hex(emailKey(to));
}

/**
 * Counts an unauthenticated request for a mail against the caller's address.
 * @throws {AppError} `rate_limited`
 */
export async function limitMailRequests(ctx: Context): Promise<void> {
  const most = ctx.services.config.MAIL_REQUESTS_PER_ADDRESS;
  await limitPerAddress(ctx, { name: 'mail', most, windowMs: HOUR_MS });
}

/** The refusal of a mail that staff requested and that is above a limit: `rate_limited`, with the time until the next one. */
export async function mailLimitError(
  { limits }: Pick<Services, 'limits'>,
  { name, ...mail }: LimitedMail & { name: string },
): Promise<AppError> {
  let longest = { leftMs: 0, quota: 0, windowSeconds: 0 };
  for (const { key, most, windowMs } of limitsOf(mail)) {
    const leftMs = (await limits.usedUpFor({ key, most })) ?? 0;
    if (leftMs >= longest.leftMs) longest = { leftMs, quota: most, windowSeconds: windowMs / 1000 };
  }
  const { leftMs, ...policy } = longest;
  return new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    policy: { name, ...policy },
  });
}
