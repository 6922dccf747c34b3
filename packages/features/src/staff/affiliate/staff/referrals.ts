import { AppError } from '@gatehouse/auth-core';
import { countReferrals, findAffiliate, listReferrals, type ReferralRow } from '@gatehouse/db';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { pageById } from '../../../member/staff/page-by-id.js';

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
export const referrals = staffScopedProcedure('affiliate.read')
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
