import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { lockMemberRow } from '@gatehouse/db/queries/lock-rows';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { endSsoSessions, listMembersOfSsoLogins, type SsoLoginsOf } from '@gatehouse/db/queries/sso-logins';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { auditedAccount } from './change-connections.js';

/**
 * Ends the sessions that an identity provider says it has ended, by the next request on every node.
 * @param take marks the message as used in the same transaction; false if it was used before
 * @returns whether the message was accepted
 */
export async function endProviderSessions(
  ctx: Context,
  { accountId }: Pick<SsoConnection, 'accountId'>,
  {
    of,
    named,
    take,
  }: {
    /** Undefined if it names no known person. */
    readonly of: SsoLoginsOf | undefined;
    /** The member whom it names, who may sign in before these sessions end. */
    readonly named: number | undefined;
    readonly take: (tx: AccessTransaction, nowMs: number) => Promise<boolean>;
  },
): Promise<boolean> {
  const { services } = ctx;
  const signedIn = of === undefined ? [] : await listMembersOfSsoLogins(services.db, of);
  const members = [...new Set([...signedIn, ...(named === undefined ? [] : [named])])].toSorted(
    (a, b) => a - b,
  );
  return changeAccess(services.db, { members }, async (tx) => {
    const nowMs = services.now();
    for (const memberId of members) await lockMemberRow(tx, memberId, 'exclusive');
    if (!(await take(tx, nowMs))) return false;
    if (of === undefined || members.length === 0) return true;
    await endSsoSessions(tx, of, { endedById: null, nowMs });
    for (const memberId of signedIn)
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.ended',
        actorId: null,
        onBehalfOfId: memberId,
        ...auditedAccount(accountId),
        subjectKind: 'session',
        subjectId: null,
      });
    return true;
  });
}
