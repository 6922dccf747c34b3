import { AppError, isVisible, storableText } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { findMachine } from '@gatehouse/db/queries/machines';
import {
  findResource,
  insertResource,
  listResources,
  type ResourceRow,
  removeResource,
  setResource,
} from '@gatehouse/db/queries/resources';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { FRESH } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { resourceOrigin } from '../../core/inputs.js';

const MAX_NAME_LENGTH = 80;

const applicationTokens = z.enum(['opaque', 'jwt']);

/** An API of the product that takes access tokens. */
const resourceView = z
  .object({
    id: z.int(),
    origin: z.string(),
    name: z.string(),
    /** How long a token for it lasts, and so how long a revocation may go unseen there. */
    ttlSeconds: z.int(),
    /** The machine of the staff whose keys may introspect its tokens; null if none may. */
    machineId: z.int().nullable(),
    /** The tokens that applications get for it: opaque ones that it introspects, or JWTs that it checks by itself. */
    applicationTokens,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Resource' });

function toResourceView(row: ResourceRow): z.output<typeof resourceView> {
  const { createdAtMs, updatedAtMs: _, ...fields } = row;
  return { ...fields, createdAt: new Date(createdAtMs).toISOString() };
}

const list = procedure({ who: 'root' })
  .meta({ about: { summary: 'List the APIs that take access tokens' } })
  .input(listInput({}))
  .output(listView(resourceView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listResources(ctx.services.db, { afterId, limit: input.limit + 1 });
    return toPage(rows, input.limit, ({ id }) => [id], toResourceView);
  });

/** Adds an API that takes access tokens, or changes one. Tokens that are made afterwards follow it. */
const save = procedure({ who: 'root', fresh: FRESH })
  .meta({
    about: {
      summary: 'Add or change an API that takes access tokens',
      refuses: ['not_found', 'resource_taken'],
    },
  })
  .input(
    z.object({
      /** The one to change. Without it a new one is added. */
      resourceId: z.int().positive().optional(),
      origin: resourceOrigin,
      name: storableText(MAX_NAME_LENGTH).refine(isVisible, { message: 'must contain something visible' }),
      ttlSeconds: z.int().min(60).max(300).default(300),
      /** The machine of the staff whose keys may introspect its tokens. */
      machineId: z.int().positive().nullable().default(null),
      /** A JWT is valid until it expires, after `ttlSeconds`, also when the member withdrew meanwhile. */
      applicationTokens: applicationTokens.default('opaque'),
    }),
  )
  .output(z.object({ data: resourceView }))
  .mutation(({ ctx, input: { resourceId, ...fields } }) =>
    changeAndRecord(ctx, {}, async ({ tx, nowMs }) => {
      const before = resourceId === undefined ? undefined : await findResource(tx, { id: resourceId });
      if (resourceId !== undefined && !before) throw new AppError('not_found');
      if (fields.machineId !== null && !(await findMachine(tx, { id: fields.machineId, accountId: null })))
        throw new AppError('not_found');
      const written = before
        ? setResource(tx, { id: before.id, ...fields, nowMs }).then(() => before.id)
        : insertResource(tx, { ...fields, nowMs });
      const id = await written.catch((error: unknown) => {
        throw error instanceof DuplicateKeyError ? new AppError('resource_taken', { cause: error }) : error;
      });
      const changed = changedFields({ ...before }, fields);
      return {
        result: {
          data: toResourceView({
            ...fields,
            id,
            createdAtMs: before?.createdAtMs ?? nowMs,
            updatedAtMs: nowMs,
          }),
        },
        record: changed && {
          action: before ? 'resource.changed' : 'resource.added',
          subjectKind: 'resource',
          subjectId: id,
          ...changed,
        },
      };
    }),
  );

/** Removes an API, so that no more tokens for it are issued. Existing tokens expire within five minutes. */
const remove = procedure({ who: 'root', fresh: FRESH })
  .meta({ about: { summary: 'Remove an API that takes access tokens', refuses: ['not_found'] } })
  .input(z.object({ resourceId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(({ ctx, input: { resourceId } }) =>
    changeAndRecord(ctx, {}, async ({ tx }) => {
      const before = await findResource(tx, { id: resourceId });
      if (!before) throw new AppError('not_found');
      await removeResource(tx, resourceId);
      const { id: _, createdAtMs: _at, updatedAtMs: _then, ...fields } = before;
      return {
        result: { message: 'The API is removed' },
        record: {
          action: 'resource.removed',
          subjectKind: 'resource',
          subjectId: resourceId,
          before: fields,
          after: null,
        },
      };
    }),
  );

/** What root decides about APIs that take access tokens. */
export const resourceProcedures = { list, save, remove };
