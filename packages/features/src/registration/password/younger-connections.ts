import { type AccessTransaction, listYoungerConnections, removeConnections } from '@gatehouse/db';
import { z } from 'zod';
import { recordAudit } from '../../audit/record-audit.js';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import { findSocialProviderById } from '../../core/social-providers/social-providers.js';

/** A connection that was made while the password that is replaced was in force. */
export const youngerConnectionView = z.object({
  id: z.int(),
  /** The key of the provider, as in URLs. */
  provider: z.string(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: z.iso.datetime(),
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
  return younger.map(({ id, providerId, displayName, email, createdAtMs }) => ({
    id,
    provider: findSocialProviderById(providerId)?.key ?? 'unknown',
    displayName,
    email,
    createdAt: new Date(createdAtMs).toISOString(),
  }));
}
