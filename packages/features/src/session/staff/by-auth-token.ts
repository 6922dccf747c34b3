import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { authTokenProcedure } from '@gatehouse/features/app/procedures';
import { z } from 'zod';

/** The member of staff an auth_token belongs to. */
export const byAuthToken = authTokenProcedure
  .output(z.object({ data: memberView }))
  .query(({ ctx }) => ({ data: toMemberView(ctx.staff) }));
