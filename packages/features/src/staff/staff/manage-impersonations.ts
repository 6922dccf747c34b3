import { AppError, decideAccess } from '@gatehouse/auth-core';
import {
  endImpersonation,
  findImpersonation,
  type ImpersonationRow,
  listImpersonations,
} from '@gatehouse/db/queries/impersonations';
import { listMemberNames } from '@gatehouse/db/queries/read-members';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import type { Context } from '../../core/context.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { verifiedSession } from '../../core/guard/session-state.js';
import { personName } from '../../core/member-view.js';

const id = z.int().positive();

const person = z.object({ userId: z.int(), name: z.string() });

/** Who acted for whom, newest first. */
export const listImpersonationsForStaff = staffProcedure('audit.read')
  .meta({ about: { summary: 'List who acted for which member' } })
  .input(listInput({ actorId: id.optional(), memberId: id.optional() }))
  .output(
    listView(
      z.object({
        id: z.int(),
        actor: person,
        member: person,
        accountId: z.int().nullable(),
        reason: z.string(),
        readOnly: z.boolean(),
        /** Whether it is active at this moment. */
        active: z.boolean(),
        startedAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        /** When somebody ended it; null if it ran out, or access was lost. */
        endedAt: z.iso.datetime().nullable(),
      }),
    ),
  )
  .query(async ({ ctx, input: { limit, cursor, ...filter } }) => {
    const { db } = ctx.services;
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const found = await listImpersonations(db, filter, { limit: limit + 1, beforeId });
    const ids = new Set(found.flatMap(({ actorId, memberId }) => [actorId, memberId]));
    const named = await listMemberNames(db, [...ids]);
    const names = new Map(named.map((row) => [row.id, personName(row)]));
    const shown = await Promise.all(found.map(async (row) => ({ active: await isActive(ctx, row), ...row })));
    const personOf = (userId: number) => ({ userId, name: names.get(userId) ?? '' });
    return toPage(
      shown,
      limit,
      (row) => [row.id],
      (row) => ({
        id: row.id,
        actor: personOf(row.actorId),
        member: personOf(row.memberId),
        accountId: row.accountId,
        reason: row.reason,
        readOnly: !row.mayWrite,
        active: row.active,
        startedAt: new Date(row.createdAtMs).toISOString(),
        expiresAt: new Date(row.expiresAtMs).toISOString(),
        endedAt: isoOrNull(row.endedAtMs ?? row.sessionEndedAtMs),
      }),
    );
  });

/** How the next call in its session would be answered. */
async function isActive({ services }: Context, row: ImpersonationRow): Promise<boolean> {
  const { access, roles, now } = services;
  if (row.endedAtMs !== null || row.tokenKey === null || now() >= row.expiresAtMs) return false;
  const member = await access.member(row.memberId);
  if (!member) return false;
  const state = await access.token(member, row.tokenKey);
  const asked = { state, issuedAtMs: row.createdAtMs };
  const { member: judged, session } = await verifiedSession(services, access, member, asked);
  return decideAccess(roles, judged, { session }).reason === undefined;
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Ends an impersonation that the caller began, or any as staff of base role 0. Ended ones are unchanged. */
export const endImpersonationAsStaff = staffProcedure()
  .meta({ about: { summary: 'End a session in which staff act for a member', refuses: ['not_found'] } })
  .input(z.object({ impersonationId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { impersonationId } }) => {
    const found = await findImpersonation(ctx.services.db, impersonationId);
    const members = found ? [...new Set([found.memberId, found.actorId])] : [];
    return changeAndRecord(ctx, { announce: { members } }, async ({ tx, nowMs, caller }) => {
      const isRoot = caller.member.roleType === ctx.services.roles.id.admin;
      if (!found || !(isRoot || found.actorId === caller.memberId)) throw new AppError('not_found');
      const { actorId, memberId, accountId } = found;
      const by = { impersonationId, actorId, endedById: caller.memberId, nowMs };
      const hasEnded = await endImpersonation(tx, by);
      return {
        result: { message: 'The session has ended' },
        record: hasEnded
          ? {
              action: 'impersonation.ended',
              ...(accountId === null ? {} : { accountId }),
              onBehalfOfId: memberId,
              subjectKind: 'impersonation',
              subjectId: impersonationId,
              before: null,
              after: null,
            }
          : undefined,
      };
    });
  });
