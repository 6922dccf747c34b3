import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { removeConnection, setConnectionContent } from '@gatehouse/db/queries/change-connections';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import {
  findConnection,
  isYoungerThanPassword,
  listConnections,
} from '@gatehouse/db/queries/read-connections';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { consumeSocialState, insertSocialState } from '@gatehouse/db/queries/social-states';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { sessionKey } from '../core/guard/caller.js';
import { FRESH, FRESH_WITH_FACTOR } from '../core/guard/freshness.js';
import { hasOwnPasskey } from '../core/guard/level.js';
import { procedure } from '../core/guard/procedure.js';
import { mainUrl, requireProvider } from './configured-provider.js';
import { connectionView, toConnectionView } from './connection-view.js';
import { attachIdentity, connectionContent, openIdentity, type ProvenIdentity } from './proven-identity.js';
import { CODE_LIFE_MS, codeKey, newCode } from './social-flow-cookie.js';

const MAX_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

/**
 * Begins to connect a provider: returns the URL for the browser to open. The callback connects nothing; only
 * this session can finish. A connection outlives the session and the password, so both ends need a recent verification.
 */
const connect = procedure({
  who: 'member',
  inPerson: true,
  permissionInAccount: 'social.connect',
  fresh: FRESH,
})
  .input(z.object({ provider: z.string().max(50) }))
  .output(z.object({ url: z.url() }))
  .mutation(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const { key, providerId } = requireProvider(services.config, input.provider);
    await enforceLimit(services, {
      key: `social-connect:member:${caller.memberId}`,
      name: 'social-connect',
      most: MAX_PER_HOUR,
      windowMs: HOUR_MS,
    });
    const { code, stateKey } = newCode();
    await change(ctx, {}, ({ tx, nowMs }) =>
      insertSocialState(tx, {
        stateKey,
        purpose: 'connect',
        providerId,
        memberId: caller.memberId,
        sessionTokenKey: sessionKey(caller.session),
        payload: null,
        nowMs,
        expiresAtMs: nowMs + CODE_LIFE_MS,
      }),
    );
    return { url: `${mainUrl(services.config)}/social/${key}?connect=${code}` };
  });

/** Connects the profile of a callback, once, only for the session that began it. */
const finish = procedure({
  who: 'member',
  inPerson: true,
  permissionInAccount: 'social.connect',
  fresh: FRESH,
})
  .input(z.object({ code: z.string().min(1).max(200) }))
  .output(z.object({ data: connectionView }))
  .mutation(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const { memberId } = caller;
    const stateKey = codeKey(input.code);
    const row = await change(ctx, { lock: { members: [memberId] } }, async ({ tx, nowMs }) => {
      const consumed = await consumeSocialState(tx, {
        stateKey,
        purpose: 'finish',
        bearer: { memberId, sessionTokenKey: sessionKey(caller.session) },
        nowMs,
      });
      if (!consumed || consumed.payload === null) throw new AppError('invalid_token');
      const identity = openIdentity(services.cipher, stateKey, consumed.payload);
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

/** A connection, and whether it was made since the password was set: `password.change` offers to end those. */
const ownConnectionView = connectionView.extend({ isYoungerThanPassword: z.boolean() });

/** The caller's connections, oldest first. */
const list = procedure({ who: 'member', inPerson: true })
  .input(listInput({}))
  .output(listView(ownConnectionView))
  .query(async ({ ctx, input }) => {
    const nowMs = ctx.services.now();
    const { passwordChangedAtMs } = (await findMemberAddress(ctx.services.db, ctx.caller.memberId)) ?? {};
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listConnections(ctx.services.db, ctx.caller.memberId, {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => ({
        ...toConnectionView(row, nowMs),
        isYoungerThanPassword: isYoungerThanPassword(row.createdAtMs, passwordChangedAtMs),
      }),
    );
  });

/**
 * Removes one of the caller's connections with all its provider data. A member without an address or a passkey
 * keeps their last one, because it is their only way to sign in.
 */
const remove = procedure({
  who: 'member',
  inPerson: true,
  permissionInAccount: 'social.connect',
  fresh: FRESH_WITH_FACTOR,
})
  .input(z.object({ connectionId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { caller } = ctx;
    const { memberId } = caller;
    await change(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      const member = await lockMember(tx, { memberId, nowMs });
      if (!member) throw new AppError('unauthorized');
      const factors = await findMemberFactors(tx, memberId);
      const hasPasskey = factors !== undefined && hasOwnPasskey(ctx.services, factors);
      const needsAnother = member.email === null && !hasPasskey;
      const outcome = await removeConnection(tx, { id: input.connectionId, memberId, needsAnother });
      if (outcome === 'absent') throw new AppError('not_found');
      if (outcome === 'last') throw new AppError('last_connection');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'connection.removed',
        actorId: memberId,
        subjectKind: 'connection',
        subjectId: input.connectionId,
      });
    });
    return { message: 'The connection is removed' };
  });

/** A member's procedures for their connections, in both deployments. */
export const socialProcedures = { connect, finish, list, remove };
