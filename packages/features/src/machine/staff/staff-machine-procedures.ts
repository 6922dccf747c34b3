import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { createKeyOf, listKeysOf, revokeKeyOf, rotateKeyOf } from '../change-keys.js';
import { listMachinesOf, removeMachineOf, saveMachineOf } from '../change-machines.js';
import {
  keyFields,
  keyId,
  keyView,
  machineId,
  machineName,
  machineView,
  scopeNames,
  toKeyView,
} from '../machine-view.js';

const manages = staffProcedure('platformKey.manage', { fresh: FRESH });

const listMachines = staffProcedure('platformKey.manage')
  .meta({ about: { summary: 'List the machines of the staff' } })
  .input(listInput({}))
  .output(listView(machineView))
  .query(({ ctx, input }) => listMachinesOf(ctx, null, input));

const saveMachine = manages
  .meta({
    about: { summary: 'Make or change a machine of the staff', refuses: ['not_found', 'limit_reached'] },
  })
  .input(
    z.object({
      /** The one to change. Without it a new one is made. */
      machineId: machineId.optional(),
      name: machineName,
    }),
  )
  .output(z.object({ data: machineView }))
  .mutation(async ({ ctx, input }) => ({ data: await saveMachineOf(ctx, input) }));

const removeMachine = manages
  .meta({ about: { summary: 'Remove a machine of the staff', refuses: ['not_found'] } })
  .input(z.object({ machineId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await removeMachineOf(ctx, input.machineId);
    return { message: 'The machine is removed' };
  });

const listKeys = staffProcedure('platformKey.manage')
  .meta({ about: { summary: 'List the API keys of the staff' } })
  .input(listInput({ machineId: machineId.optional() }))
  .output(listView(keyView))
  .query(({ ctx, input }) => listKeysOf(ctx, null, input));

/** Its scopes are permissions of staff outside accounts. A key that only introspects access tokens needs none. */
const createKey = manages
  .meta({
    about: {
      summary: 'Make an API key for a machine of the staff',
      refuses: ['not_found', 'limit_reached'],
    },
  })
  .input(z.object({ ...keyFields, scopes: scopeNames }))
  .output(z.object({ data: keyView, /** The key, this once. */ key: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { key, row } = await createKeyOf(ctx, input);
    return { data: toKeyView(row), key };
  });

const revokeKey = manages
  .meta({ about: { summary: 'Revoke an API key of the staff', refuses: ['not_found'] } })
  .input(z.object({ keyId }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    await revokeKeyOf(ctx, input.keyId);
    return { message: 'The key is revoked' };
  });

const rotateKey = manages
  .meta({
    about: { summary: 'Replace an API key of the staff', refuses: ['not_found', 'key_ended'] },
  })
  .input(z.object({ keyId, overlapHours: z.int().min(0).max(168).default(24) }))
  .output(z.object({ data: keyView, /** The key, this once. */ key: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { key, row } = await rotateKeyOf(ctx, input);
    return { data: toKeyView(row), key };
  });

/** The machines of the staff. */
export const staffMachineProcedures = { list: listMachines, remove: removeMachine, save: saveMachine };

/** Their API keys. */
export const staffKeyProcedures = { create: createKey, list: listKeys, revoke: revokeKey, rotate: rotateKey };
