import { AppError } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { type Credential, findCredentialById } from '@gatehouse/db/queries/passwords';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { checkPasswordOf } from '../authentication/check-password.js';
import { checkCodeProof, kindOfCode, type SentCode } from '../authentication/second-factor/check-code.js';
import type { AccessReader } from '../core/access/access-reader.js';
import type { LockedReader } from '../core/access/create-locked-reader.js';
import type { Context } from '../core/context.js';
import { findCaller } from '../core/guard/caller.js';

/**
 * Whether a call has a live session of the member that no partner began. A partner's session proves nothing,
 * because the partner has seen its token. Nor does one that an
 * account's identity provider began, which the member does not belong to, or that of the platform.
 */
export async function holdsSessionOf(ctx: Context, access: AccessReader, memberId: number): Promise<boolean> {
  const caller = await findCaller(ctx, access);
  if (caller?.memberId !== memberId) return false;
  const { partnerId, sso } = caller.session;
  return partnerId === undefined && sso?.isNarrow !== true && sso?.accountId !== PLATFORM;
}

/** The proof that the reader of a mail is the member: one of these, or a session. */
export interface OwnerProof extends SentCode {
  readonly password?: string | undefined;
}

/** The member of a mailed link, and what was sent with it. */
interface OwnerCheck {
  readonly memberId: number;
  readonly sent: OwnerProof;
  /** The flow to which a mailed code must belong; absent if none was mailed. */
  readonly boundKey?: string;
  /** The members whose password is accepted; active ones if absent. */
  readonly admits?: (member: Credential) => boolean;
}

/** A right proof, or none. */
export interface CheckedOwner {
  /** The stored hash that the password matched. */
  readonly expectedPassword: string | undefined;
  /**
   * Whether the reader of the mail is shown to be the member, judged by the locked rows. Uses a code up.
   * @throws {AppError} `invalid_credentials` if the password was changed or the code used meanwhile
   */
  isShown(tx: AccessTransaction, reader: LockedReader, nowMs: number): Promise<boolean>;
  /** Ends the count of wrong codes. */
  succeed(): Promise<void>;
  /** Takes the attempt back if the code was not the reason of the refusal. */
  afterRefusal(error: unknown): Promise<void>;
}

/** No code was ever mailed for it. */
const NO_MAILED_CODE = '';

/**
 * Checks what came with a mailed link to show that its reader is the member. Wrong attempts are counted as at a sign-in.
 * @throws {AppError} as `checkPassword` and `checkCodeProof` do
 */
export async function checkOwnerProof(
  ctx: Context,
  { memberId, sent, boundKey = NO_MAILED_CODE, admits }: OwnerCheck,
): Promise<CheckedOwner> {
  const { password, ...codes } = sent;
  const expectedPassword =
    password === undefined ? undefined : (await checkPasswordOf(ctx, memberId, password, admits)).password;
  const checked =
    kindOfCode(codes) === undefined
      ? undefined
      : await checkCodeProof(ctx, memberId, codes, boundKey, 'verification');
  const isSent = expectedPassword !== undefined || checked !== undefined;
  const isSignedIn = !isSent && (await holdsSessionOf(ctx, ctx.services.access, memberId));
  return {
    expectedPassword,
    async isShown(tx, reader, nowMs) {
      // The password was compared before the row was locked, and may have been changed since.
      if (
        expectedPassword !== undefined &&
        (await findCredentialById(tx, memberId))?.password !== expectedPassword
      )
        throw new AppError('invalid_credentials', { sent: 'password' });
      await checked?.consume(tx, nowMs);
      return isSent || (isSignedIn && (await holdsSessionOf(ctx, reader, memberId)));
    },
    succeed: async () => checked?.succeed(),
    afterRefusal: async (error) => checked?.afterRefusal(error),
  };
}
