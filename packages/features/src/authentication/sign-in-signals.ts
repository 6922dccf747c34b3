import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setSessionsUnverified } from '@gatehouse/db/queries/change-session';
import { listRecentSessions } from '@gatehouse/db/queries/list-sessions';
import { findMember } from '@gatehouse/db/queries/read-members';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { clientName, isSameDevice, rememberDevice } from '../core/rate-limit/known-device.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BURST_MS = 10 * MINUTE_MS;
const MAX_NETWORKS = 5;
const MAX_DEVICE_MAILS = 3;

/** More sessions than this of ten minutes are not looked at. */
const SESSIONS = 60;

/** Signals of a sign-in by another person. */
export interface SignInSignals {
  /** Whether the member signed in from more than five networks within ten minutes. */
  readonly hasManyNetworks: boolean;
}

/**
 * Watches a session that has just begun, in its transaction. A device that was unseen for 90 days is mailed, three a day at most,
 * and none at the first sign-in ever, which a registration is. After sign-ins from more than five networks in ten minutes, these
 * sessions have to be verified before anything that requires a recent verification, and a mail says so, once in ten minutes.
 */
export async function watchSignIn(
  ctx: Context,
  tx: Database,
  { memberId, sessionId, isFirst }: { memberId: number; sessionId: number; isFirst: boolean },
): Promise<SignInSignals> {
  const nowMs = ctx.services.now();
  const { isKnown, hasId } = await rememberDevice(ctx, tx, memberId);
  const recent = await listRecentSessions(tx, { memberId, limit: SESSIONS });
  const before = recent.filter(({ id }) => id !== sessionId);
  const isSeen = isKnown || (!hasId && before.some((session) => isSameDevice(ctx, session)));
  if (!isSeen && !isFirst) await tellNewDevice(ctx, tx, memberId);
  const networks = new Set(
    recent
      .filter(({ createdAtMs }) => createdAtMs > nowMs - BURST_MS)
      .map(({ address }) => networkOf(address)),
  );
  const hasManyNetworks = networks.size > MAX_NETWORKS;
  if (hasManyNetworks) {
    const burst = { memberId, afterMs: nowMs - BURST_MS };
    await changeAccess(tx, { members: [memberId] }, (accessTx) => setSessionsUnverified(accessTx, burst));
    await tellManyNetworks(ctx, tx, memberId);
  }
  return { hasManyNetworks };
}

async function tellNewDevice(ctx: Context, tx: Database, memberId: number): Promise<void> {
  const { services } = ctx;
  const key = `new-device:${memberId}`;
  const { isAllowed } = await services.limits.consume({ key, most: MAX_DEVICE_MAILS, windowMs: DAY_MS }, tx);
  if (isAllowed) await tell(ctx, tx, { memberId, sign: 'newDevice' });
}

async function tellManyNetworks(ctx: Context, tx: Database, memberId: number): Promise<void> {
  const { services } = ctx;
  const key = `many-networks:${memberId}`;
  const { isAllowed } = await services.limits.consume({ key, most: 1, windowMs: BURST_MS }, tx);
  if (!isAllowed) return;
  await tell(ctx, tx, { memberId, sign: 'manyNetworks' });
  await recordAudit(tx, ctx, {
    atMs: services.now(),
    action: 'session.many-networks',
    actorId: null,
    onBehalfOfId: memberId,
    subjectKind: 'member',
    subjectId: memberId,
  });
}

async function tell(
  { services, call }: Context,
  tx: Database,
  { memberId, sign }: { memberId: number; sign: 'newDevice' | 'manyNetworks' },
): Promise<void> {
  const { email = null } = (await findMember(tx, memberId)) ?? {};
  if (email === null) return;
  const data = {
    sign,
    atMs: services.now(),
    device: clientName(call.userAgent),
    link: appLink(services.config, 'forgot'),
  };
  await queueMail(tx, services, { kind: 'signInNotice', to: email, memberId, data });
}
