import type { AffiliateRow } from '@gatehouse/db';
import { z } from 'zod';
import { marketingLink } from './marketing-link.js';

/** An affiliate. A member is an affiliate at most once, so the affiliate's id is the member's. */
export const affiliateView = z.object({
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
export function toAffiliateView(row: AffiliateRow, appUrl: string): z.output<typeof affiliateView> {
  const { commissionBasisPoints, createdAtMs, ...shown } = row;
  return {
    ...shown,
    memberId: row.id,
    commissionPercent: commissionBasisPoints / 100,
    marketingUrl: marketingLink(row, appUrl),
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
