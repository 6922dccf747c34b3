import {
  emailKey,
  emailSchema,
  passwordSchema,
  personNameSchema,
  usernameSchema,
} from '@gatehouse/auth-core';
import { insertReferral } from '@gatehouse/db/queries/affiliates';
import { z } from 'zod';
import { signInNewcomer } from '../authentication/finish-sign-in.js';
import { answeredSession, answeredSessionShape } from '../authentication/sign-in-answer.js';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { codeKey } from '../core/inputs.js';
import { LOCALES } from '../core/member-view.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { requireGoodPassword } from './change-own-password.js';
import { queueActivation } from './mail-confirmation.js';
import { registerMember } from './new-member.js';

const HOUR_MS = 3_600_000;

/**
 * Counts an attempt to register for its network address.
 * @throws {AppError} `rate_limited`
 */
export async function limitRegistrations(ctx: Context): Promise<void> {
  const { REGISTRATIONS_PER_ADDRESS: most } = ctx.services.config;
  await limitPerAddress(ctx, { name: 'registration', most, windowMs: HOUR_MS });
}

const MAX_CODE_LENGTH = 64;

const input = z.object({
  username: usernameSchema,
  password: passwordSchema,
  email: emailSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  accountName: personNameSchema.optional(),
  /** The language of their mails; by default the first of our languages that the call's `Accept-Language` names. */
  locale: z.enum(LOCALES).optional(),
  /** The code of an affiliate; a code of no active affiliate is ignored. */
  ref: z.string().max(MAX_CODE_LENGTH).optional().catch(undefined),
});

/**
 * Creates a member with their own account and its trial, mails the activation link, and signs them in. The
 * account is usable before the address is confirmed.
 *
 * @throws {AppError} `invalid_credentials` if the member is deleted or archived before they are signed in
 */
export const register = publicProcedure
  .input(input)
  .output(z.object({ ...answeredSessionShape, userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: { password, ref, locale, ...person } }) => {
    const { services } = ctx;
    await limitRegistrations(ctx);
    await requireOwnSignIn(services, emailKey(person.email));
    await requireGoodPassword(password, person, 'password');
    const language = locale ?? visitorLocale(ctx.call);
    const { memberId, accountId, passwordHash } = await registerMember(
      ctx,
      { password, ...person, locale: language },
      async (tx, enrolled) => {
        const { memberId } = enrolled;
        await queueActivation(tx, services, { memberId, email: person.email });
        if (ref) await insertReferral(tx, { codeKey: codeKey(ref), memberId, nowMs: services.now() });
      },
    );
    const session = await signInNewcomer(ctx, { memberId, passwordHash });
    return { ...(await answeredSession(ctx, session)), userId: memberId, accountId };
  });
