import { AppError } from '@gatehouse/auth-core';
import { findAffiliate } from '@gatehouse/db';
import { z } from 'zod';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { marketingLink } from './marketing-link.js';

/** The URL that an affiliate shares. */
export const marketingUrl = staffScopedProcedure('affiliate.read')
  .input(z.object({ affiliateId: z.number().int().positive() }))
  .output(z.object({ url: z.string() }))
  .query(async ({ ctx, input: { affiliateId } }) => {
    const affiliate = await findAffiliate(ctx.services.db, ctx.scope, affiliateId);
    const url = affiliate ? marketingLink(affiliate, ctx.services.config.APP_URL) : null;
    if (url === null) throw new AppError('not_found');
    return { url };
  });
