import {
  AppError,
  generatePassword,
  loginNameSchema,
  personNameSchema,
  TOKEN_LIVES_SECONDS,
  usernameSchema,
  vouchedAddress,
  vouchedEmailSchema,
} from '@gatehouse/auth-core';
import {
  findPartnerMember,
  insertPartnerMember,
  listPartnerAccountIds,
} from '@gatehouse/db/queries/partner-members';
import { recordPartnerUse } from '@gatehouse/db/queries/partners';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { procedure } from '../core/guard/procedure.js';
import type { CallingPartner } from '../core/guard/service-callers.js';
import { enrol } from '../registration/new-member.js';
import { callLimit, registrationLimit } from './authenticate-partner.js';

/**
 * The URL at which a partner's front end signs a member in: its own URL with a one-use token in the fragment,
 * valid for ten minutes. Browsers do not send fragments to servers.
 */
function sealLoginUrl(
  { services, call }: Context,
  partner: CallingPartner,
  member: {
    readonly id: number;
    readonly roleType: number;
    readonly defaultPaymentId: number;
    readonly accountIds: readonly number[];
    readonly sessionEpoch: number;
  },
): string {
  const { token } = services.tokens.sealOneUse(
    {
      type: 'partnerLogin',
      userId: member.id,
      role: member.roleType,
      defaultPaymentId: member.defaultPaymentId,
      accountIds: member.accountIds,
      partnerId: partner.id,
      sessionEpoch: member.sessionEpoch,
    },
    TOKEN_LIVES_SECONDS.partnerLogin,
  );
  services.log.security({
    event: 'token.issued',
    requestId: call.requestId,
    address: call.address,
    memberId: member.id,
    partnerId: partner.id,
  });
  return `${partner.appUrl}/#login?token=${token}`;
}

/** The default payment provider of a new member: the one for subscriptions. */
const DEFAULT_PAYMENT_ID = 2;

const registerUserInput = z.object({
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
export const registerUser = procedure({ who: 'partner' })
  .input(registerUserInput)
  .output(z.object({ loginUrl: z.string(), userId: z.int(), accountId: z.int() }))
  .mutation(async ({ ctx, input: person }) => {
    const { services, partner } = ctx;
    await enforceLimit(services, callLimit(ctx, partner.id));
    await enforceLimit(services, registrationLimit(ctx, partner.id));
    const passwordHash = await services.passwords.hash(generatePassword());
    // Called before the transaction, in which all calls of the partner share a lock on it.
    await recordPartnerUse(services.db, { partnerId: partner.id, nowMs: services.now() });
    const { memberId, accountId } = await change(ctx, {}, async ({ tx, nowMs }) => {
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

/** The most accounts that fit into a token of 8,192 characters, however long their numbers are. */
const MAX_ACCOUNT_IDS = 250;

const singleSignOnInput = z
  .object({ email: loginNameSchema.optional(), userId: z.int().positive().optional() })
  .refine(({ email, userId }) => email !== undefined || userId !== undefined, {
    path: ['email'],
    message: 'An email or a userId is needed',
  });

/**
 * Signs on a member linked to the partner. If both are given, `email` and `userId` must belong to one member.
 * Members without a link to the partner, and staff, are treated as unknown.
 */
export const singleSignOn = procedure({ who: 'partner' })
  .input(singleSignOnInput)
  .output(z.object({ loginUrl: z.string() }))
  .mutation(async ({ ctx, input: { email, userId } }) => {
    const { services, partner } = ctx;
    await enforceLimit(services, callLimit(ctx, partner.id));
    // Called before the transaction, in which all calls of the partner share a lock on it.
    await recordPartnerUse(services.db, { partnerId: partner.id, nowMs: services.now() });
    const loginUrl = await change(ctx, {}, async ({ tx, nowMs }) => {
      const emailKey = email === undefined ? undefined : vouchedAddress(email);
      const isAddress = email === undefined || emailKey !== undefined;
      const member = isAddress && (await findPartnerMember(tx, partner.id, { id: userId, emailKey, nowMs }));
      if (!member) throw new AppError('not_found');
      const accountIds = await listPartnerAccountIds(tx, {
        memberId: member.id,
        partnerId: partner.id,
        all: member.consentedAtMs !== null,
        limit: MAX_ACCOUNT_IDS,
      });
      return sealLoginUrl(ctx, partner, { ...member, accountIds });
    });
    return { loginUrl };
  });
