import { AppError, emailSchema } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import {
  type AffiliateRow,
  type AffiliateTerms,
  countReferrals,
  findAffiliate,
  insertAffiliate,
  listReferrals,
  type ReferralRow,
  searchAffiliates,
  setAffiliate,
} from '@gatehouse/db/queries/affiliates';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { listView, pageInput, searchInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { procedure } from '../../core/guard/procedure.js';
import { codeKey } from '../../core/inputs.js';
import { peopleSearch } from '../../core/search-page.js';
import { pageById } from '../../member/staff/search-members-for-staff.js';

/** The registration page with the affiliate's code. Null while the affiliate is not active. */
function marketingLink(affiliate: { code: string; active: boolean }, appUrl: string): string | null {
  return affiliate.active ? `${appUrl}/register?ref=${encodeURIComponent(affiliate.code)}` : null;
}

/** An affiliate. A member is an affiliate at most once, so the affiliate's id is the member's. */
const affiliateView = z.object({
  id: z.int(),
  memberId: z.int(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  code: z.string(),
  commissionPercent: z.number(),
  payoutEmail: z.string(),
  active: z.boolean(),
  /** Null while the affiliate is not active. */
  marketingUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

/** @param appUrl the address of the front end */
function toAffiliateView(row: AffiliateRow, appUrl: string): z.output<typeof affiliateView> {
  const { commissionBasisPoints, createdAtMs, ...shown } = row;
  return {
    ...shown,
    memberId: row.id,
    commissionPercent: commissionBasisPoints / 100,
    marketingUrl: marketingLink(row, appUrl),
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

/** The URL that an affiliate shares. */
export const marketingUrl = procedure({ who: 'staff', permission: 'affiliate.read', inAccounts: true })
  .input(z.object({ affiliateId: z.number().int().positive() }))
  .output(z.object({ url: z.string() }))
  .query(async ({ ctx, input: { affiliateId } }) => {
    const affiliate = await findAffiliate(ctx.services.db, ctx.scope, affiliateId);
    const url = affiliate ? marketingLink(affiliate, ctx.services.config.APP_URL) : null;
    if (url === null) throw new AppError('not_found');
    return { url };
  });

/** The affiliates among the members of the caller's accounts, by name or the beginning of the code. */
export const searchAffiliatesForStaff = procedure({
  who: 'staff',
  permission: 'affiliate.read',
  inAccounts: true,
})
  .input(searchInput)
  .output(listView(affiliateView))
  .query(({ ctx, input }) => {
    const who = { codeBegins: codeKey(input.search), ...peopleSearch(input.search) };
    return pageById(
      input,
      (page) => searchAffiliates(ctx.services.db, ctx.scope, { ...page, ...who }),
      (row) => toAffiliateView(row, ctx.services.config.APP_URL),
    );
  });

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
export const saveAffiliate = procedure({ who: 'staff', permission: 'affiliate.manage', inAccounts: true })
  .input(input)
  .output(z.object({ data: affiliateView }))
  .mutation(async ({ ctx, input: { affiliateId, memberId, active, ...agreed } }) =>
    changeAndRecord(ctx, { lock: { members: [memberId] } }, async ({ tx, nowMs, ...authorized }) => {
      await lockSubject(
        authorized,
        tx,
        { memberId, nowMs },
        { permission: 'account.read', need: 'mayServe' },
      );
      const before = await findAffiliate(tx, authorized.scope, memberId);
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
      const after = await findAffiliate(tx, authorized.scope, memberId);
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

const referralView = z.object({
  id: z.int(),
  username: z.string(),
  registeredAt: z.iso.datetime(),
  /** Whether the address is confirmed. */
  confirmed: z.boolean(),
  /** Whether one of their accounts has a paid subscription. */
  paying: z.boolean(),
});

const counts = z.object({ registered: z.int(), confirmed: z.int(), paying: z.int() });

/** The members an affiliate referred, limited to the caller's accounts, with counts for each stage. */
export const listReferralsForStaff = procedure({
  who: 'staff',
  permission: 'affiliate.read',
  inAccounts: true,
})
  .meta({ about: { summary: 'List the members whom an affiliate brought', refuses: ['not_found'] } })
  .input(z.strictObject({ affiliateId: z.number().int().positive(), ...pageInput }))
  .output(listView(referralView).extend({ counts }))
  .query(async ({ ctx, input: { affiliateId, ...page } }) => {
    const { scope, services } = ctx;
    if (!(await findAffiliate(services.db, scope, affiliateId))) throw new AppError('not_found');
    const list = await pageById(
      page,
      (span) => listReferrals(services.db, scope, { ...span, affiliateId }),
      toReferralView,
    );
    return { counts: await countReferrals(services.db, scope, affiliateId), ...list };
  });

function toReferralView({ id, username, ...row }: ReferralRow): z.output<typeof referralView> {
  return {
    id,
    username,
    registeredAt: new Date(row.createdAtMs).toISOString(),
    confirmed: row.emailConfirmedAtMs !== null,
    paying: row.isPaying,
  };
}
