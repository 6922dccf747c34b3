import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { lockAccountRows, lockMemberRow } from '@gatehouse/db/queries/lock-rows';
import { findNamedKey, revokeApiKey } from '@gatehouse/db/queries/machines';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { managersOf } from '../core/managers-of.js';
import { queueMail } from '../mail/queue-mail.js';
import { revokeReplaced } from './change-keys.js';
import { mailedKey } from './key-notices.js';

const MINUTE_MS = 60_000;
const REPORTS_PER_MINUTE = 30;

/** Revokes a key that was found where it should not be. Anybody who knows it could also use it, so nobody has to sign in. */
export const reportLeaked = publicProcedure
  .meta({
    about: { summary: 'Revoke an API key that leaked', refuses: ['rate_limited'], tag: 'machines' },
  })
  .input(z.object({ key: z.string().max(200) }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { key } }) => {
    const { services, call } = ctx;
    const { db } = services;
    await enforceLimit(services, {
      key: `leaked-keys:${networkOf(call.address)}`,
      name: 'leaked-keys',
      most: REPORTS_PER_MINUTE,
      windowMs: MINUTE_MS,
    });
    const found = isOpaqueToken('apiKey', key) ? await findNamedKey(db, sha256Hex(key)) : undefined;
    if (found !== undefined) {
      const { id, machineId, name, accountId } = found;
      await changeAccess(db, { members: [machineId] }, async (tx) => {
        // In the order of all code: calls of the machine hold these when they read the key.
        if (accountId !== null) await lockAccountRows(tx, [accountId], 'exclusive');
        await lockMemberRow(tx, machineId, 'exclusive');
        const nowMs = services.now();
        if (!(await revokeApiKey(tx, { id, nowMs }))) return;
        await revokeReplaced(tx, ctx, { id, machineId, accountId, nowMs, actorId: null });
        await recordAudit(tx, ctx, {
          atMs: nowMs,
          action: 'key.leaked',
          ...(accountId === null ? {} : { accountId }),
          subjectKind: 'key',
          subjectId: id,
          before: { name, machineId },
          after: null,
        });
        const data = { ...(await mailedKey(tx, services, found)), atMs: nowMs };
        for (const { memberId, email } of await managersOf(tx, accountId))
          await queueMail(tx, services, { kind: 'keyLeaked', to: email, memberId, data });
      });
      services.wakeups.wake('mail');
    }
    return { message: 'If this was an API key of this service, it is revoked' };
  });
