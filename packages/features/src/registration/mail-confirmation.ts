import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMemberAddress, type MemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { change } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { memberProcedure } from '../core/guard/procedure.js';
import { awaitedEnds, maskAddress } from '../core/member-view.js';
import { appLink } from '../mail/app-link.js';
import { mailName } from '../mail/mail-name.js';
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
    changes,
  }: {
    memberId: number;
    email: string;
    sessionId?: number | undefined;
    share?: 'staff' | undefined;
    /** The member, if the address is to replace the one they have, or is their first. */
    changes?: ChangingMember | undefined;
  },
): Promise<boolean> {
  const payload = {
    type: 'emailVerification',
    userId: memberId,
    email,
    ...(sessionId === undefined ? {} : { sessionId }),
  } as const;
  const { token } = services.tokens.sealOneUse(payload, services.config.JWT_EXPIRES_IN);
  const link = appLink(services.config, 'confirm', token);
  const data = changes === undefined ? { link } : { link, changes: { account: accountOf(changes) } };
  return queueMail(tx, services, { kind: 'activation', to: email, memberId, share, data });
}

type ChangingMember = Pick<MemberAddress, 'username' | 'email'>;

/** The name of the requesting account in a mail to an address that may be a stranger's. */
function accountOf({ username, email }: ChangingMember): string | undefined {
  return mailName(username) ?? (email === null ? undefined : maskAddress(email));
}

/** Whether a mail went out, and to which address. */
interface ConfirmationMail {
  /** Null if nothing has to be confirmed. */
  readonly email: string | null;
  readonly isQueued: boolean;
}

/**
 * Writes the mail that asks a member to prove the address they have yet to prove.
 * @param sessionId the session that asks for it, which stays open when a first address is proved
 * @throws {AppError} `not_found`, `no_address`
 */
export async function mailConfirmation(
  tx: Database,
  services: Services,
  { memberId, sessionId, share }: { memberId: number; sessionId?: number | undefined; share?: 'staff' },
): Promise<ConfirmationMail> {
  const address = await findMemberAddress(tx, memberId);
  if (!address) throw new AppError('not_found');
  if (address.email === null && address.pendingEmail === null) throw new AppError('no_address');
  const isAwaited = awaitedEnds(address).includes('new');
  const present = address.emailConfirmedAtMs === null ? address.email : null;
  const email = isAwaited ? address.pendingEmail : present;
  if (email === null) return { email, isQueued: false };
  const keep = address.email === null ? sessionId : undefined;
  return {
    email,
    isQueued: await queueActivation(tx, services, {
      memberId,
      email,
      sessionId: keep,
      share,
      changes: isAwaited ? address : undefined,
    }),
  };
}

/** The answer once that is committed: the same for a mail that was held. */
export function confirmationAnswer(
  services: Pick<Services, 'wakeups'>,
  { email }: ConfirmationMail,
): { message: string; alreadyConfirmed: boolean } {
  if (email === null) return { message: 'The address is confirmed', alreadyConfirmed: true };
  services.wakeups.wake('mail');
  return { message: 'The email has been sent', alreadyConfirmed: false };
}

/** Mails the activation link again, to the unconfirmed address of the caller. */
export const resendConfirmation = memberProcedure
  .output(z.object({ message: z.string(), alreadyConfirmed: z.boolean() }))
  .mutation(async ({ ctx }) => {
    const { memberId, session } = ctx.caller;
    const who = { memberId, sessionId: session.id };
    const mail = await change(ctx, {}, ({ tx }) => mailConfirmation(tx, ctx.services, who));
    return confirmationAnswer(ctx.services, mail);
  });
