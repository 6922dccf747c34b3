import { generatePassword, personNameSchema, usernameSchema, vouchedEmailSchema } from '@gatehouse/auth-core';
import { insertPartnerMember, recordPartnerUse } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { recordAudit } from '../audit/record-audit.js';
import { partnerProcedure } from '../core/guard/procedures.js';
import { enrol } from '../registration/enrol.js';
import { callLimit, registrationLimit } from './partner-limits.js';
import { sealLoginUrl } from './seal-login-url.js';

/** The default payment provider of a new member: the one for subscriptions. */
const DEFAULT_PAYMENT_ID = 2;

const input = z.object({
  email: vouchedEmailSchema,
  firstName: personNameSchema.optional(),
  lastName: personNameSchema.optional(),
  username: usernameSchema.optional(),
  accountName: personNameSchema.optional(),
});

/**
 * Registers a person as the partner's member: member, account, membership, trial and link in one transaction.
 * The password is random and unknown; the owner of the address sets another by a reset.
 */
export const registerUser = partnerProcedure
  .input(input)
  .output(z.object({ loginUrl: z.string(), userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { services, partner } = ctx;
    await enforceLimit(services, callLimit(ctx, partner.id));
    await enforceLimit(services, registrationLimit(ctx, partner.id));
    const passwordHash = await services.passwords.hash(generatePassword());
    // Called before the transaction, in which all calls of the partner share a lock on it.
    await recordPartnerUse(services.db, { partnerId: partner.id, nowMs: services.now() });
    const { memberId, accountId } = await changeDecided(ctx, {}, async (tx, nowMs) => {
      const enrolled = await enrol(tx, {
        services,
        passwordHash,
        hasPassword: false,
        createdByPartnerId: partner.id,
        ...person,
      });
      await insertPartnerMember(tx, { partnerId: partner.id, memberId: enrolled.memberId, nowMs });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'partner.user_registered',
        accountId: enrolled.accountId,
        subjectKind: 'member',
        subjectId: enrolled.memberId,
        after: { partnerId: partner.id },
      });
      return enrolled;
    });
    const roleType = services.roles.id.userMember;
    const member = {
      id: memberId,
      roleType,
      defaultPaymentId: DEFAULT_PAYMENT_ID,
      accountIds: [accountId],
      sessionEpoch: 0,
    };
    return { loginUrl: sealLoginUrl(ctx, partner, member), userId: memberId, accountId };
  });
