import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedures.js';
import { addPartner } from '../add-partner.js';
import { appUrlSchema } from '../app-url-schema.js';
import { changePartner } from '../change-partner.js';
import { partnerExternalIdSchema } from '../partner-external-id-schema.js';
import { partnerNameSchema } from '../partner-name-schema.js';
import { changeByStaff } from './change-by-staff.js';

const input = z
  .object({
    /** The partner to change. Without it a new one is added. */
    partnerId: z.int().positive().optional(),
    name: partnerNameSchema.optional(),
    /** The id that another system gave a new partner, which its systems send as partnerId. */
    externalId: partnerExternalIdSchema.optional(),
    appUrl: appUrlSchema.optional(),
    /** Whether to reactivate a deactivated partner. */
    active: z.literal(true).optional(),
  })
  .superRefine(({ partnerId, name, externalId, appUrl, active }, context) => {
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (partnerId === undefined) {
      if (name === undefined) issue('name', 'A name is needed');
      if (appUrl === undefined) issue('appUrl', 'An appUrl is needed');
    } else {
      if (name !== undefined) issue('name', 'The name of a partner never changes');
      if (externalId !== undefined) issue('externalId', 'The id of a partner never changes');
      if (appUrl === undefined && active === undefined) issue('appUrl', 'There is nothing to change');
    }
  });

/**
 * Adds a partner and shows its secretKey, only this once. With a partnerId it changes one. A name never changes,
 * because the partner's own systems send it.
 */
export const save = staffProcedure('partner.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Add or change a partner', refuses: ['not_found', 'partner_taken'] } })
  .input(input)
  .output(z.object({ partnerId: z.int(), secretKey: z.string().nullable() }))
  .mutation(async ({ ctx, input: { partnerId, name, externalId, appUrl, active } }) => {
    if (partnerId !== undefined) {
      await changeByStaff(ctx, 'partner.changed', (by) =>
        changePartner(by, { id: partnerId, appUrl, isActive: active }),
      );
      return { partnerId, secretKey: null };
    }
    if (name === undefined || appUrl === undefined) throw new AppError('invalid_input');
    const added = await changeByStaff(ctx, 'partner.added', (by) =>
      addPartner(by, { name, externalId, appUrl }),
    );
    return { partnerId: added.id, secretKey: added.secretKey };
  });
