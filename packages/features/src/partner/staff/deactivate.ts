import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedures.js';
import { stopPartner } from '../stop-partner.js';
import { changeByStaff } from './change-by-staff.js';

/** Deactivates a partner. Its tokens and the sessions it began are refused from the next call on. */
export const deactivate = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Deactivate a partner', refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ partnerId: z.int() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    await changeByStaff(ctx, 'partner.deactivated', (by) => stopPartner(by, partnerId));
    return { partnerId };
  });
