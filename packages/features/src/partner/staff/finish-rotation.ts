import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedures.js';
import { finishPartnerRotation } from '../finish-partner-rotation.js';
import { changeByStaff } from './change-by-staff.js';

/** Ends a rotation early: from the next call on only the newest secretKey works. */
export const finishRotation = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: "End a partner's older secrets now", refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ partnerId: z.int() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    await changeByStaff(ctx, 'partner.rotation_finished', (by) => finishPartnerRotation(by, partnerId));
    return { partnerId };
  });
