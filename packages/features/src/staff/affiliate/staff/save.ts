import { AppError, emailSchema } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  type AffiliateRow,
  type AffiliateTerms,
  DuplicateKeyError,
  findAffiliate,
  insertAffiliate,
  setAffiliate,
} from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../../audit/changed-fields.js';
import { makeChange } from '../../../audit/make-change.js';
import { lockSubject } from '../../../core/authority/require-authority.js';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { codeKey } from '../../../core/inputs.js';
import { affiliateView, toAffiliateView } from './affiliate-view.js';

const input = z
  .object({
    /** The id of an affiliate is the member's. If the client sends it, the affiliate must exist. */
    affiliateId: z.number().int().positive().optional(),
    memberId: z.number().int().positive(),
    code: z.string().regex(/^[A-Za-z0-9_-]{3,64}$/, 'must be 3 to 64 letters, digits, - or _'),
    /** In hundredths of a percent. */
    commissionPercent: z.number().min(0).max(100).multipleOf(0.01),
    payoutEmail: emailSchema,
    active: z.boolean().optional(),
  })
  .refine(({ affiliateId, memberId }) => affiliateId === undefined || affiliateId === memberId, {
    path: ['affiliateId'],
    message: 'is not the id of this member’s affiliate',
  });

/** Makes a member an affiliate, or changes the terms. */
export const save = staffScopedProcedure('affiliate.manage')
  .input(input)
  .output(z.object({ data: affiliateView }))
  .mutation(async ({ ctx, input: { affiliateId, memberId, active, ...agreed } }) =>
    makeChange(ctx, { concerns: [memberId] }, async (tx, nowMs, decided) => {
      await lockSubject(decided, tx, { memberId, nowMs }, { permission: 'account.read', need: 'mayServe' });
      const before = await findAffiliate(tx, decided.scope, memberId);
      if (!before && affiliateId !== undefined) throw new AppError('not_found');
      await writeTerms(tx, {
        memberId,
        nowMs,
        isNew: !before,
        terms: {
          code: agreed.code,
          codeKey: codeKey(agreed.code),
          commissionBasisPoints: Math.round(agreed.commissionPercent * 100),
          payoutEmail: agreed.payoutEmail,
          active: active ?? before?.active ?? true,
        },
      });
      const after = await findAffiliate(tx, decided.scope, memberId);
      if (!after) throw new AppError('not_found');
      const changed = changedFields(before ? termsOf(before) : {}, termsOf(after));
      return {
        result: { data: toAffiliateView(after, ctx.services.config.APP_URL) },
        record: changed && {
          action: before ? 'affiliate.changed' : 'affiliate.added',
          onBehalfOfId: memberId,
          subjectKind: 'affiliate',
          subjectId: memberId,
          ...changed,
        },
      };
    }),
  );

function termsOf({ code, commissionBasisPoints, payoutEmail, active }: AffiliateRow) {
  return { code, commissionBasisPoints, payoutEmail, active };
}

async function writeTerms(
  tx: AccessTransaction,
  change: { memberId: number; nowMs: number; isNew: boolean; terms: AffiliateTerms },
): Promise<void> {
  const { memberId, nowMs, isNew, terms } = change;
  try {
    if (isNew) await insertAffiliate(tx, { ...terms, memberId, nowMs });
    else await setAffiliate(tx, { ...terms, memberId, nowMs });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('code_taken', { cause: error });
    throw error;
  }
}
