import { authTokenProcedure, memberView, toMemberView } from '@gatehouse/api-kit';
import { z } from 'zod';

/** The member of staff an auth_token belongs to. */
export const byAuthToken = authTokenProcedure
  .output(z.object({ data: memberView }))
  .query(({ ctx }) => ({ data: toMemberView(ctx.staff) }));
