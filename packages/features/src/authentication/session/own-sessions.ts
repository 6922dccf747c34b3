import { AppError, personNameSchema } from '@gatehouse/auth-core';
import { renameSession } from '@gatehouse/db/queries/change-session';
import { listSessions, type SessionRow } from '@gatehouse/db/queries/list-sessions';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import { recordAudit } from '../../audit/record-audit.js';
import { readAmr } from '../../core/guard/authentication-methods.js';
import type { Caller, CallerSession } from '../../core/guard/caller.js';
import { memberProcedure, procedure } from '../../core/guard/procedure.js';

/** A session as its owner, or staff, sees it. */
export const sessionRowView = z.object({
  /** The number of the session, which stays when its token is refreshed. */
  id: z.int(),
  kind: z.enum(['session', 'bearer']),
  /** The User-Agent that signed in. */
  device: z.string(),
  /** The name the member gave it. */
  deviceName: z.string().nullable(),
  address: z.string(),
  createdAt: z.iso.datetime(),
  /** True to the minute. */
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Whether this is the session of the call itself. */
  isCurrent: z.boolean(),
  /** How it was authenticated; empty if that is not known. */
  methods: z.array(z.string()),
  /** The highest level reached in it. */
  level: z.int(),
  /** When the member signed in; null if that is not known. */
  authTime: z.iso.datetime().nullable(),
});

export function toSessionRowView(
  row: SessionRow,
  { tokenKey, familyId }: Pick<CallerSession, 'tokenKey' | 'familyId'>,
): z.output<typeof sessionRowView> {
  return {
    id: row.id,
    kind: row.kind,
    device: row.device,
    deviceName: row.deviceName,
    address: row.address,
    createdAt: new Date(row.createdAtMs).toISOString(),
    lastSeenAt: new Date(row.lastSeenAtMs).toISOString(),
    expiresAt: new Date(row.expiresAtMs).toISOString(),
    isCurrent: row.tokenKey === tokenKey || row.id === familyId,
    methods: readAmr(row.amr),
    level: row.level,
    authTime: row.authTimeMs === null ? null : new Date(row.authTimeMs).toISOString(),
  };
}

/** The account whose sessions are all that the caller sees, in a session that its identity provider began. */
function narrowAccountOf({ session: { sso } }: Caller): number | undefined {
  return sso?.isNarrow === true ? sso.accountId : undefined;
}

/**
 * The caller's open sessions, newest first. A partner's session only sees those the partner began, and that of an account's identity
 * provider those that it began.
 */
export const listOwnSessions = memberProcedure
  .input(listInput({}))
  .output(listView(sessionRowView))
  .query(async ({ ctx, input }) => {
    const [beforeId] = openCursor(input.cursor, idCursor) ?? [];
    const rows = await listSessions(ctx.services.db, ctx.caller.memberId, {
      nowMs: ctx.services.now(),
      limit: input.limit + 1,
      onlyPartnerId: ctx.caller.session.partnerId,
      onlySsoAccountId: narrowAccountOf(ctx.caller),
      ...(beforeId === undefined ? {} : { beforeId }),
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => toSessionRowView(row, ctx.caller.session),
    );
  });

const MAX_NAME_LENGTH = 64;

const input = z.object({
  sessionId: z.int().positive(),
  name: personNameSchema.max(MAX_NAME_LENGTH),
});

/** Names one of the caller's sessions, so that they know the device again. */
export const renameOwnSession = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: 'Name a session', refuses: ['not_found'] } })
  .input(input)
  .output(
    z.object({
      message: z.string(),
      data: z.object({ id: z.int(), deviceName: z.string() }),
    }),
  )
  .mutation(async ({ ctx, input: { sessionId, name } }) => {
    const { memberId } = ctx.caller;
    await change(ctx, { lock: { members: [memberId] } }, async ({ tx, nowMs }) => {
      if (!(await renameSession(tx, { memberId, sessionId, name }))) throw new AppError('not_found');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'session.renamed',
        actorId: memberId,
        subjectKind: 'session',
        subjectId: sessionId,
      });
    });
    return { message: 'The session has been renamed', data: { id: sessionId, deviceName: name } };
  });
