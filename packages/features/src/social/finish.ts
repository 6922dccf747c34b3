import { AppError } from '@gatehouse/auth-core';
import {
  consumeSocialState,
  type Database,
  DuplicateKeyError,
  findConnection,
  setConnectionContent,
} from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { sessionKey } from '../core/guard/caller.js';
import { freshConnectionProcedure } from '../core/guard/procedures.js';
import { attachIdentity } from './attach-identity.js';
import { connectionContent } from './connection-content.js';
import { connectionView, toConnectionView } from './connection-view.js';
import { openIdentity } from './identity-payload.js';
import { codeKey } from './one-use-code.js';
import type { ProvenIdentity } from './proven-identity.js';

/** Connects the profile of a callback, once, only for the session that began it. */
export const finish = freshConnectionProcedure
  .input(z.object({ code: z.string().min(1).max(200) }))
  .output(z.object({ data: connectionView }))
  .mutation(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const { memberId } = caller;
    const stateKey = codeKey(input.code);
    const row = await changeDecided(ctx, { concerns: [memberId] }, async (tx, nowMs) => {
      const taken = await consumeSocialState(tx, {
        stateKey,
        purpose: 'finish',
        bearer: { memberId, sessionTokenKey: sessionKey(caller.session) },
        nowMs,
      });
      if (!taken || taken.payload === null) throw new AppError('invalid_token');
      const identity = openIdentity(services.cipher, stateKey, taken.payload);
      await connectTo(tx, ctx, memberId, identity);
      return findConnection(tx, keyOf(identity));
    });
    if (!row) throw new AppError('internal', { detail: 'a connection just made is not there' });
    services.wakeups.wake('mail');
    return { data: toConnectionView(row, services.now()) };
  });

async function connectTo(
  tx: Database,
  ctx: Context,
  memberId: number,
  identity: ProvenIdentity,
): Promise<void> {
  const known = await findConnection(tx, keyOf(identity));
  if (known === undefined) return attachNew(tx, ctx, memberId, identity);
  if (known.memberId !== memberId) throw new AppError('connection_taken');
  const nowMs = ctx.services.now();
  const content = connectionContent({ cipher: ctx.services.cipher, nowMs }, identity);
  await setConnectionContent(tx, known, { ...content, nowMs });
  await recordAudit(tx, ctx, {
    atMs: nowMs,
    action: 'connection.renewed',
    actorId: memberId,
    subjectKind: 'connection',
    subjectId: known.id,
  });
}

/** Two members may finish with one identity at once. The unique index accepts one of them. */
async function attachNew(
  tx: Database,
  ctx: Context,
  memberId: number,
  identity: ProvenIdentity,
): Promise<void> {
  try {
    await attachIdentity(tx, ctx, { memberId, identity });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    throw new AppError('connection_taken', { cause: error });
  }
}

function keyOf({ providerId, profile }: ProvenIdentity) {
  return { providerId, providerUserId: profile.providerUserId };
}
