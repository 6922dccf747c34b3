import { staffProcedure } from '@gatehouse/api-kit';
import { AppError, emailSchema, personNameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { addColleague } from './add-colleague.js';
import { changeColleague } from './change-colleague.js';
import { personnelView } from './personnel-view.js';

const MOST_GRANTS = 1_000;

const input = z
  .object({
    /** Absent for a new member of staff. */
    personnelId: z.number().int().positive().optional(),
    email: emailSchema.optional(),
    firstName: personNameSchema.optional(),
    lastName: personNameSchema.optional(),
    /** The base role, which is the role among the staff; archiving is a ban, not a role to give. */
    roleType: z.number().int().optional(),
    /** All the accounts that are to be granted; what is granted now and not named is taken away. */
    accountIds: z.array(z.number().int().positive()).max(MOST_GRANTS).optional(),
    /** Whether they are staff now. Switched off they keep their role and grants for later, and neither counts. */
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

/** Makes a member of staff, or changes one; what is left out of a change stays as it is. */
export const save = staffProcedure('personnel.manage')
  .input(input)
  .output(z.object({ data: personnelView }))
  .mutation(async ({ ctx, input: { personnelId, ...fields } }) => {
    const { roleType, email, firstName, lastName } = fields;
    const { roles } = ctx.kit;
    const name = roleType === undefined ? undefined : roles.nameOf(roleType);
    if (roleType !== undefined && (name === undefined || name === 'archived')) {
      throw new AppError('invalid_input', {
        issues: [{ path: 'roleType', message: 'This is no role of staff' }],
      });
    }
    if (personnelId !== undefined) return { data: await changeColleague(ctx, personnelId, fields) };
    if (email === undefined || firstName === undefined || lastName === undefined || roleType === undefined) {
      throw new AppError('invalid_input');
    }
    return { data: await addColleague(ctx, { ...fields, email, firstName, lastName, roleType }) };
  });
