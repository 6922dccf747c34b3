import { type AccessTransaction, listYoungerConnections, removeConnections } from '@gatehouse/db';
import type { z } from 'zod';
import type { Caller } from '../app/caller.js';
import type { Context } from '../app/context.js';
import { recordAudit } from '../audit/record-audit.js';
import { connectionSummaryView, toConnectionSummaryView } from '../social/connection-view.js';

/** A connection that was made while the password that is replaced was in force. */
export const youngerConnectionView = connectionSummaryView.pick({
  id: true,
  provider: true,
  displayName: true,
  email: true,
  createdAt: true,
});

/**
 * The caller's connections that are younger than the password that is replaced: somebody who knew that password could
 * have made any of them. Ends them if asked to. The caller of this has locked the member, and ends the sessions.
 */
export async function settleYoungerConnections(
  tx: AccessTransaction,
  ctx: Context & { readonly caller: Caller },
  change: { readonly passwordChangedAtMs: number | null; readonly ends: boolean; readonly nowMs: number },
): Promise<z.output<typeof youngerConnectionView>[]> {
  const { passwordChangedAtMs, ends, nowMs } = change;
  const { memberId } = ctx.caller;
  const younger = await listYoungerConnections(tx, { memberId, passwordChangedAtMs });
  if (ends) {
    await removeConnections(tx, { memberId, ids: younger.map(({ id }) => id) });
    for (const { id } of younger) {
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'connection.removed',
        actorId: memberId,
        subjectKind: 'connection',
        subjectId: id,
      });
    }
  }
  return younger.map((row) => {
    const { id, provider, displayName, email, createdAt } = toConnectionSummaryView(row, nowMs);
    return { id, provider, displayName, email, createdAt };
  });
}
