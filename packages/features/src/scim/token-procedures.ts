import { AppError, isVisible, makeOpaqueToken, sha256Hex, storableText } from '@gatehouse/auth-core';
import {
  countLiveScimTokens,
  findScimToken,
  insertScimToken,
  listScimRequests,
  listScimTokens,
  revokeScimToken,
  type ScimTokenRow,
} from '@gatehouse/db/queries/scim-tokens';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import { requireConfirmed } from '../core/authority/given-role.js';
import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { noticeOf } from './token-notices.js';

/** One in use and the next, while the directory gets it. */
const MAX_LIVE = 2;
const MAX_DAYS = 730;
const DEFAULT_DAYS = 365;
const DAY_MS = 86_400_000;
const MAX_NAME_LENGTH = 80;

const manages = accountProcedure('sso.manage', { inPerson: true, fresh: FRESH });

const reads = accountProcedure('sso.manage', { inPerson: true });

/** A token of the account's directory, without the token. */
const tokenView = z
  .object({
    id: z.int(),
    name: z.string(),
    /** The end of the token. */
    lastFour: z.string(),
    createdById: z.int(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    /** True to the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ScimToken' });

function toTokenView(row: ScimTokenRow): z.output<typeof tokenView> {
  const { id, name, lastFour, createdById, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs } = row;
  const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());
  return {
    id,
    name,
    lastFour,
    createdById,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    revokedAt: iso(revokedAtMs),
    lastUsedAt: iso(lastUsedAtMs),
  };
}

const listTokens = reads
  .meta({ about: { summary: "List the tokens of the account's directory" } })
  .input(listInput({}))
  .output(listView(tokenView))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const page = { accountId: ctx.account.id, beforeId, limit: limit + 1 };
    const rows = await listScimTokens(ctx.services.db, page);
    return toPage(rows, limit, ({ id }) => [id], toTokenView);
  });

const addToken = manages
  .meta({
    about: {
      summary: "Make a token for the account's directory",
      refuses: ['limit_reached', 'unconfirmed'],
    },
  })
  .input(
    z.object({
      name: storableText(MAX_NAME_LENGTH).refine(isVisible, { message: 'must contain something visible' }),
      expiresInDays: z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS),
    }),
  )
  .output(z.object({ data: tokenView, /** The token, this once. */ token: z.string() }))
  .mutation(async ({ ctx, input: { name, expiresInDays } }) => {
    const accountId = ctx.account.id;
    const token = makeOpaqueToken('scimToken');
    const data = await mailProofIfUnconfirmed(ctx, ctx.caller, () =>
      changeAndRecord(ctx, { lock: { accounts: [accountId] } }, async ({ tx, nowMs, ...authorized }) => {
        const { caller, services } = authorized;
        // It outlives the session of the member who makes it.
        const owner = { memberId: caller.memberId, roleType: services.roles.id.owner };
        await requireConfirmed(tx, services, owner);
        if ((await countLiveScimTokens(tx, { accountId, nowMs, limit: MAX_LIVE })) >= MAX_LIVE)
          throw new AppError('limit_reached');
        const expiresAtMs = nowMs + expiresInDays * DAY_MS;
        const row = {
          accountId,
          name,
          lastFour: token.slice(-4),
          createdById: caller.memberId,
          createdAtMs: nowMs,
          expiresAtMs,
        };
        const noticeAtMs = noticeOf(expiresAtMs, nowMs);
        const id = await insertScimToken(tx, { ...row, digest: sha256Hex(token), noticeAtMs });
        return {
          result: toTokenView({ ...row, id, revokedAtMs: null, lastUsedAtMs: null }),
          record: {
            action: 'scim.token-added',
            accountId,
            subjectKind: 'scimToken',
            subjectId: id,
            before: null,
            after: { name, expiresAt: new Date(expiresAtMs).toISOString() },
          },
        };
      }),
    );
    return { data, token };
  });

const removeToken = manages
  .meta({ about: { summary: "Revoke a token of the account's directory", refuses: ['not_found'] } })
  .input(z.object({ tokenId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { tokenId: id } }) => {
    const accountId = ctx.account.id;
    await changeAndRecord(ctx, { lock: { accounts: [accountId] } }, async ({ tx, nowMs }) => {
      const token = await findScimToken(tx, { id, accountId });
      if (token === undefined) throw new AppError('not_found');
      const isRevoked = await revokeScimToken(tx, { id, nowMs });
      return {
        result: undefined,
        record: isRevoked
          ? {
              action: 'scim.token-removed',
              accountId,
              subjectKind: 'scimToken',
              subjectId: id,
              before: { name: token.name },
              after: null,
            }
          : undefined,
      };
    });
    return { message: 'The token is revoked' };
  });

const requestView = z
  .object({
    id: z.int(),
    tokenId: z.int(),
    at: z.iso.datetime(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    /** Why it was refused. */
    error: z.string().nullable(),
  })
  .meta({ id: 'ScimRequest' });

const log = reads
  .meta({ about: { summary: "List the last requests of the account's directory, newest first" } })
  .input(listInput({}))
  .output(listView(requestView))
  .query(async ({ ctx, input: { cursor, limit } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const page = { accountId: ctx.account.id, beforeId, limit: limit + 1 };
    const rows = await listScimRequests(ctx.services.db, page);
    return toPage(
      rows,
      limit,
      ({ id }) => [id],
      ({ atMs, ...row }) => ({ ...row, at: new Date(atMs).toISOString() }),
    );
  });

/** The tokens of the account's directory, and the log of its requests. */
export const scimProcedures = { addToken, listTokens, log, removeToken };
