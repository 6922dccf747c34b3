import {
  AppError,
  emailSchema,
  passwordSchema,
  personNameSchema,
  usernameSchema,
} from '@gatehouse/auth-core';
import { findCredentialById } from '@gatehouse/db';
import { publicProcedure } from '@gatehouse/features/app/procedures';
import { openSession } from '@gatehouse/features/login/open-session';
import { requireGoodPassword } from '@gatehouse/features/password/require-good-password';
import { queueActivation } from '@gatehouse/features/registration/queue-activation';
import { z } from 'zod';
import { admitMember } from './admit-member.js';
import { limitRegistrations } from './limit-registrations.js';

const input = z.object({
  username: usernameSchema,
  password: passwordSchema,
  email: emailSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  accountName: personNameSchema.optional(),
});

/**
 * Makes a member with an account of their own and its trial, mails the activation link, and signs them in: the
 * account is usable before the address is confirmed.
 *
 * @throws {AppError} `invalid_credentials` when the member is deleted or archived before they are signed in
 */
export const register = publicProcedure
  .input(input)
  .output(z.object({ token: z.string(), userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: { password, ...person } }) => {
    const { kit } = ctx;
    await limitRegistrations(ctx);
    await requireGoodPassword(password, person, 'password');
    const { memberId, accountId } = await admitMember(ctx, { password, ...person }, async (tx, enrolled) => {
      await queueActivation(tx, kit, { memberId: enrolled.memberId, email: person.email });
    });
    const member = await findCredentialById(kit.db, memberId);
    if (!member) throw new AppError('internal', { detail: 'a member just made is not there' });
    const { token } = await openSession(ctx, member, 'session');
    return { token, userId: memberId, accountId };
  });
