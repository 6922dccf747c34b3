import {
  enrol,
  limitPerAddress,
  openSession,
  publicProcedure,
  queueActivation,
  requireGoodPassword,
} from '@gatehouse/api-kit';
import {
  AppError,
  emailSchema,
  passwordSchema,
  personNameSchema,
  usernameSchema,
} from '@gatehouse/auth-core';
import { findCredentialById, insertAudit } from '@gatehouse/db';
import { z } from 'zod';

const HOUR_MS = 3_600_000;

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
 */
export const register = publicProcedure
  .input(input)
  .output(z.object({ token: z.string(), userId: z.number(), accountId: z.number() }))
  .mutation(async ({ ctx, input: { password, ...person } }) => {
    const { kit, call } = ctx;
    await limitPerAddress(ctx, {
      name: 'registration',
      most: kit.config.REGISTRATIONS_PER_ADDRESS,
      windowMs: HOUR_MS,
    });
    await requireGoodPassword(password, person, 'password');
    const passwordHash = await kit.passwords.hash(password);
    const { memberId, accountId } = await kit.db.transaction(async (tx) => {
      const enrolled = await enrol(tx, { kit, ...person, passwordHash });
      await queueActivation(tx, kit, { memberId: enrolled.memberId, email: person.email });
      await insertAudit(tx, {
        atMs: kit.now(),
        action: 'member.registered',
        actorId: enrolled.memberId,
        accountId: enrolled.accountId,
        subjectKind: 'member',
        subjectId: enrolled.memberId,
        address: call.address,
        requestId: call.requestId,
      });
      return enrolled;
    });
    kit.wakeups.wake('mail');
    kit.log.security({
      event: 'member.registered',
      requestId: call.requestId,
      address: call.address,
      memberId,
      accountId,
    });
    const member = await findCredentialById(kit.db, memberId);
    if (!member) throw new AppError('unavailable', { detail: 'a new member was gone at once' });
    const { token } = await openSession(ctx, member, 'session');
    return { token, userId: memberId, accountId };
  });
