import { emailSchema, generatePassword, personNameSchema, usernameSchema } from '@gatehouse/auth-core';
import { insertAudit, insertPartnerMember, notePartnerUse } from '@gatehouse/db';
import { partnerProcedure } from '@gatehouse/features/app/procedures';
import { changeDecided } from '@gatehouse/features/audit/change-decided';
import { enrol } from '@gatehouse/features/registration/enrol';
import { takeLimitPoint } from '@gatehouse/runtime/limits/take-limit-point';
import { z } from 'zod';
import { callLimit, registrationLimit } from './partner-limits.js';
import { sealLoginUrl } from './seal-login-url.js';

/** What a member is given who chose no payment provider: the one for subscriptions. */
const DEFAULT_PAYMENT_ID = 2;

const input = z.object({
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  username: usernameSchema.optional(),
  accountName: personNameSchema.optional(),
});

/**
 * Registers somebody as a member of the partner's: member, account, membership, trial and link in one transaction. The
 * password is random and nobody is told; whoever holds the address sets another by a reset.
 */
export const registerUser = partnerProcedure
  .input(input)
  .output(z.object({ loginUrl: z.string(), userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { kit, call, partner } = ctx;
    await takeLimitPoint(kit, callLimit(ctx, partner.id));
    await takeLimitPoint(kit, registrationLimit(ctx, partner.id));
    const passwordHash = await kit.passwords.hash(generatePassword());
    // Before the transaction, in which the partner is held for reading by all of its calls at once.
    await notePartnerUse(kit.db, { partnerId: partner.id, nowMs: kit.now() });
    const { memberId, accountId } = await changeDecided(ctx, {}, async (tx, nowMs) => {
      const enrolled = await enrol(tx, { ...person, kit, passwordHash, createdByPartnerId: partner.id });
      await insertPartnerMember(tx, { partnerId: partner.id, memberId: enrolled.memberId, nowMs });
      await insertAudit(tx, {
        atMs: nowMs,
        action: 'partner.user_registered',
        accountId: enrolled.accountId,
        subjectKind: 'member',
        subjectId: enrolled.memberId,
        address: call.address,
        requestId: call.requestId,
        after: { partnerId: partner.id },
      });
      return enrolled;
    });
    const roleType = kit.roles.id.userMember;
    const member = { id: memberId, roleType, defaultPaymentId: DEFAULT_PAYMENT_ID, accountIds: [accountId] };
    return { loginUrl: sealLoginUrl(ctx, partner, member), userId: memberId, accountId };
  });
