import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedures.js';
import { rotatePartnerSecret } from '../rotate-partner-secret.js';
import { changeByStaff } from './change-by-staff.js';

const DAY_SECONDS = 86_400;

const input = z.object({
  partnerId: z.int().positive(),
  /** How long the previous secret also works; 0 ends it at once. */
  overlapSeconds: z
    .int()
    .min(0)
    .max(90 * DAY_SECONDS)
    .default(7 * DAY_SECONDS),
});

/** Gives a partner a new secretKey and shows it, only this once. */
export const rotateSecret = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Give a partner a new secret', refuses: ['not_found'] } })
  .input(input)
  .output(z.object({ secretKey: z.string(), previousUntil: z.iso.datetime().nullable() }))
  .mutation(async ({ ctx, input: rotation }) => {
    const { secretKey, previousUntilMs } = await changeByStaff(ctx, 'partner.secret_rotated', (by) =>
      rotatePartnerSecret(by, rotation),
    );
    const previousUntil = previousUntilMs === null ? null : new Date(previousUntilMs).toISOString();
    return { secretKey, previousUntil };
  });
