import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { applicationFields, applicationId, applicationView, secretView } from './application-view.js';
import {
  addSecretOf,
  applicationDetailOf,
  listApplicationsOf,
  removeApplicationOf,
  removeSecretOf,
  saveApplicationOf,
} from './change-applications.js';

const manages = accountProcedure('app.manage', { inPerson: true, fresh: FRESH });

const reads = accountProcedure('app.manage', { inPerson: true });

const list = reads
  .meta({ about: { summary: 'List the applications of the account' } })
  .input(listInput({}))
  .output(listView(applicationView))
  .query(({ ctx, input }) => listApplicationsOf(ctx, ctx.account.id, input));

const detail = reads
  .meta({ about: { summary: 'See an application of the account', refuses: ['not_found'] } })
  .input(z.object({ applicationId }))
  .output(z.object({ data: applicationView.extend({ secrets: z.array(secretView).max(2) }) }))
  .query(async ({ ctx, input }) => ({
    data: await applicationDetailOf(ctx, ctx.account.id, input.applicationId),
  }));

const save = manages
  .meta({
    about: {
      summary: 'Register or change an application of the account',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(
    z.object({
      /** The one to change. Without it a new one is registered, which needs a name and a type. */
      applicationId: applicationId.optional(),
      ...applicationFields,
    }),
  )
  .output(z.object({ data: applicationView }))
  .mutation(async ({ ctx, input }) => ({ data: await saveApplicationOf(ctx, input) }));

const remove = manages
  .meta({ about: { summary: 'Remove an application of the account', refuses: ['not_found'] } })
  .input(z.object({ applicationId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeApplicationOf(ctx, { accountId: ctx.account.id, ...input });
    return { message: 'The application is removed' };
  });

const addSecret = manages
  .meta({
    about: {
      summary: 'Give an application of the account a secret',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(z.object({ applicationId }))
  .output(z.object({ data: secretView, /** The secret, this once. */ secret: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { view, secret } = await addSecretOf(ctx, input.applicationId);
    return { data: view, secret };
  });

const removeSecret = manages
  .meta({ about: { summary: 'Remove a secret of an application', refuses: ['not_found'] } })
  .input(z.object({ applicationId, secretId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeSecretOf(ctx, input);
    return { message: 'The secret is removed' };
  });

/** The applications of an account. */
export const applicationProcedures = { addSecret, detail, list, remove, removeSecret, save };
