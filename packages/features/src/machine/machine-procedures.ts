import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import { roleChoice } from '../core/authority/given-role.js';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { createKeyOf, listKeysOf, revokeKeyOf, rotateKeyOf } from './change-keys.js';
import { listMachinesOf, removeMachineOf, saveMachineOf } from './change-machines.js';
import { keyFields, keyId, keyView, machineId, machineName, machineView, toKeyView } from './machine-view.js';
import { reportLeaked } from './report-leaked.js';

const manages = accountProcedure('key.manage', { inPerson: true, fresh: FRESH });

const reads = accountProcedure('key.manage', { inPerson: true });

const listMachines = reads
  .meta({ about: { summary: 'List the machines of the account' } })
  .input(listInput({}))
  .output(listView(machineView))
  .query(({ ctx, input }) => listMachinesOf(ctx, ctx.account.id, input));

const saveMachine = manages
  .meta({
    about: {
      summary: 'Make or change a machine of the account',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(
    z.object({
      /** The one to change. Without it a new one is made. */
      machineId: machineId.optional(),
      name: machineName,
      ...roleChoice,
    }),
  )
  .output(z.object({ data: machineView }))
  .mutation(async ({ ctx, input }) => ({ data: await saveMachineOf(ctx, input) }));

const removeMachine = manages
  .meta({ about: { summary: 'Remove a machine of the account', refuses: ['not_found'] } })
  .input(z.object({ machineId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeMachineOf(ctx, input.machineId);
    return { message: 'The machine is removed' };
  });

const listKeys = reads
  .meta({ about: { summary: 'List the API keys of the account' } })
  .input(listInput({ machineId: machineId.optional() }))
  .output(listView(keyView))
  .query(({ ctx, input }) => listKeysOf(ctx, ctx.account.id, input));

const createKey = manages
  .meta({
    about: {
      summary: 'Make an API key for a machine of the account',
      refuses: ['not_found', 'limit_reached', 'unconfirmed'],
    },
  })
  .input(z.object(keyFields))
  .output(z.object({ data: keyView, /** The key, this once. */ key: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { key, row } = await mailProofIfUnconfirmed(ctx, ctx.caller, () => createKeyOf(ctx, input));
    return { data: toKeyView(row), key };
  });

const revokeKey = manages
  .meta({ about: { summary: 'Revoke an API key of the account', refuses: ['not_found'] } })
  .input(z.object({ keyId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await revokeKeyOf(ctx, input.keyId);
    return { message: 'The key is revoked' };
  });

const rotateKey = manages
  .meta({
    about: {
      summary: 'Replace an API key of the account',
      refuses: ['not_found', 'key_ended', 'unconfirmed'],
    },
  })
  .input(z.object({ keyId, overlapHours: z.int().min(0).max(168).default(24) }))
  .output(z.object({ data: keyView, /** The key, this once. */ key: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { key, row } = await mailProofIfUnconfirmed(ctx, ctx.caller, () => rotateKeyOf(ctx, input));
    return { data: toKeyView(row), key };
  });

/** The machines of an account. */
export const machineProcedures = { list: listMachines, remove: removeMachine, save: saveMachine };

/** The API keys of an account. */
export const keyProcedures = {
  create: createKey,
  list: listKeys,
  reportLeaked,
  revoke: revokeKey,
  rotate: rotateKey,
};
