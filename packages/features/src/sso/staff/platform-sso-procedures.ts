import { z } from 'zod';
import { requireLevelsOf } from '../../core/guard/account-access.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { accountSsoView, readAccountSso } from '../account-sso-view.js';

const detail = staffProcedure('platformSso.manage')
  .meta({ about: { summary: 'See how an account signs in its people by their company' } })
  .input(z.object({ accountId: z.int().positive() }))
  .output(z.object({ data: accountSsoView }))
  .query(async ({ ctx, input: { accountId } }) => {
    await requireLevelsOf(ctx, ctx.services.access, [accountId]);
    return { data: await readAccountSso(ctx.services, accountId) };
  });

/** What staff see of the identity providers of accounts. */
export const platformSsoProcedures = { detail };
