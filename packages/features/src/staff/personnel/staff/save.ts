import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { FRESH_WITH_FACTOR } from '../../../core/guard/freshness.js';
import { staffProcedure } from '../../../core/guard/procedures.js';
import { personnelFields } from '../personnel-fields.js';
import { requireStaffRole } from '../require-staff-role.js';
import { addColleague } from './add-colleague.js';
import { changeColleague } from './change-colleague.js';
import { personnelView } from './personnel-view.js';

const input = personnelFields
  .partial()
  .extend({
    /** Absent for a new member of staff. */
    personnelId: z.number().int().positive().optional(),
    /**
     * Whether they are active staff. Disabled staff keep their role and grants for later; neither has an
     * effect.
     */
    active: z.boolean().optional(),
  })
  .superRefine(({ personnelId, ...fields }, context) => {
    if (personnelId !== undefined) return;
    for (const name of ['email', 'firstName', 'lastName', 'roleType'] as const) {
      if (fields[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: 'is needed for a new member of staff' });
      }
    }
  });

/** Creates or changes a member of staff; omitted fields of a change stay as they are. */
export const save = staffProcedure('personnel.manage', { fresh: FRESH_WITH_FACTOR })
  .input(input)
  .output(z.object({ data: personnelView }))
  .mutation(async ({ ctx, input: { personnelId, ...fields } }) => {
    const { roleType, email, firstName, lastName } = fields;
    if (personnelId !== undefined) return { data: await changeColleague(ctx, personnelId, fields) };
    if (email === undefined || firstName === undefined || lastName === undefined || roleType === undefined) {
      throw new AppError('invalid_input');
    }
    requireStaffRole(ctx.services.roles, roleType);
    return { data: await addColleague(ctx, { ...fields, email, firstName, lastName, roleType }) };
  });
