import { z } from 'zod';
import { memberView, toMemberView } from '../../../core/app/member-view.js';
import { authTokenProcedure } from '../../../core/app/procedures.js';

/** The member of staff an auth_token belongs to. */
export const byAuthToken = authTokenProcedure
  .output(z.object({ data: memberView }))
  .query(({ ctx }) => ({ data: toMemberView(ctx.staff, ctx.services.now()) }));
