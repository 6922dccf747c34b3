import { AppError } from '@gatehouse/auth-core';
import {
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  redeliver,
} from '@gatehouse/db/queries/delivery-log';
import { listEndpoints, lockEndpoints } from '@gatehouse/db/queries/event-endpoints';
import { beginRedelivery } from '@gatehouse/db/queries/redeliveries';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { type ChangeRecord, changeAndRecord } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { Services } from '../core/context.js';
import type { NotAuthorized } from '../core/guard/guarded.js';
import { instant } from '../core/inputs.js';
import { endpointId, MAX_ENDPOINTS, moment, toMoment } from './endpoint-fields.js';
import {
  type EndpointManager,
  type EndpointScope,
  endpointFacts,
  endpointSubject,
  lockedBy,
  requireEndpoint,
} from './endpoint-scope.js';
import { redeliveryView, toRedeliveryView } from './redeliver-events.js';

const MAX_IDS = 100;

const state = z.enum(['pending', 'delivered', 'failed', 'skipped']);

const delivery = z
  .object({
    id: z.int(),
    endpointId: z.int(),
    eventId: z.string(),
    type: z.string(),
    subject: z.string(),
    /** `failed` is given up, `skipped` may not be sent any more. */
    state,
    /** Failed attempts since it was queued. */
    failures: z.int(),
    /** The answer to the last attempt; null if there was none. */
    httpStatus: z.int().nullable(),
    createdAt: moment,
    deliveredAt: moment.nullable(),
    /** When the next attempt is due. */
    nextAttemptAt: moment.nullable(),
  })
  .meta({ id: 'EventDelivery' });

const attempt = z.object({
  at: moment,
  ms: z.int(),
  httpStatus: z.int().nullable(),
  /** Why there was no answer. */
  error: z.string().nullable(),
  /** The beginning of the answer, in printable ASCII. */
  answer: z.string(),
});

const deliveryId = z.int().positive();

function toDelivery(row: DeliveryRow): z.output<typeof delivery> {
  const { id, eventId, type, subject, failures, attempts } = row;
  return {
    id,
    endpointId: row.endpointId,
    eventId,
    type,
    subject,
    state: row.state,
    failures,
    httpStatus: attempts.at(-1)?.status ?? null,
    createdAt: new Date(row.createdAtMs).toISOString(),
    deliveredAt: toMoment(row.deliveredAtMs),
    nextAttemptAt: row.state === 'pending' ? toMoment(row.dueAtMs) : null,
  };
}

/** The inputs and outputs of the procedures, for every scope. */
export const DELIVERY_SCHEMAS = {
  list: listInput({
    endpointId: endpointId.optional(),
    state: state.optional(),
    type: z.string().max(64).optional(),
    from: instant.optional(),
    to: instant.optional(),
  }),
  listed: listView(delivery),
  detail: z.object({ deliveryId }),
  detailed: z.object({ data: delivery.extend({ attempts: z.array(attempt).max(20) }) }),
  redeliver: z.object({
    /** Either ids, or an endpoint with two moments. */
    ids: z.array(deliveryId).min(1).max(MAX_IDS).optional(),
    endpointId: endpointId.optional(),
    from: instant.optional(),
    to: instant.optional(),
  }),
  redelivered: z.object({
    message: z.string(),
    data: z.object({
      /** How many of the ids are queued again. */
      count: z.int(),
      /** The progress of the endpoint's redeliveries, which a job queues. */
      redelivery: redeliveryView.nullable(),
    }),
  }),
} as const;

type Schemas = typeof DELIVERY_SCHEMAS;

type Input<Name extends keyof Schemas> = z.output<Schemas[Name]>;

async function endpointIdsIn(db: Services['db'], { scope }: EndpointScope): Promise<number[]> {
  return (await listEndpoints(db, { scope, limit: MAX_ENDPOINTS })).map(({ id }) => id);
}

/** The deliveries to the endpoints of a scope, newest first. */
export async function listDeliveriesIn(
  { db }: Services,
  scope: EndpointScope,
  input: Input<'list'>,
): Promise<Input<'listed'>> {
  const { endpointId: wanted, type, from: fromMs, to: toMs, limit } = input;
  const [beforeId] = openCursor(input.cursor, idCursor) ?? [Number.MAX_SAFE_INTEGER];
  const own = await endpointIdsIn(db, scope);
  const endpointIds = own.filter((id) => wanted === undefined || id === wanted);
  const filter = { endpointIds, state: input.state, type, fromMs, toMs };
  const rows = await listDeliveries(db, filter, { beforeId, limit: limit + 1 });
  return toPage(rows, limit, ({ id }) => [id], toDelivery);
}

/** @throws {AppError} `not_found` */
export async function deliveryDetailIn(
  { db }: Services,
  scope: EndpointScope,
  { deliveryId: id }: Input<'detail'>,
): Promise<Input<'detailed'>> {
  const row = await findDelivery(db, { id, endpointIds: await endpointIdsIn(db, scope) });
  if (row === undefined) throw new AppError('not_found');
  const attempts = row.attempts.map(({ atMs, ms, status, error, answer }) => ({
    at: new Date(atMs).toISOString(),
    ms,
    httpStatus: status,
    error,
    answer,
  }));
  return { data: { ...toDelivery(row), attempts } };
}

/**
 * Sends deliveries again, with the same `webhook-id`: those with these ids at once, and those of an endpoint by a job.
 * @throws {AppError} `not_found` if none of them is there, `invalid_input` unless it names ids, or an endpoint and a time
 */
export async function redeliverIn(
  ctx: NotAuthorized<EndpointManager>,
  scope: EndpointScope,
  { ids, endpointId: of, from: fromMs, to: toMs }: Input<'redeliver'>,
): Promise<Input<'redelivered'>> {
  if (ids !== undefined && of === undefined && fromMs === undefined && toMs === undefined)
    return redeliverIds(ctx, scope, ids);
  if (ids === undefined && of !== undefined && fromMs !== undefined && toMs !== undefined)
    return redeliverBetween(ctx, scope, { endpointId: of, fromMs, toMs });
  const issues = [{ path: 'ids', message: 'Send either ids, or endpointId with from and to' }];
  throw new AppError('invalid_input', { issues });
}

async function redeliverIds(
  ctx: NotAuthorized<EndpointManager>,
  scope: EndpointScope,
  ids: readonly number[],
): Promise<Input<'redelivered'>> {
  const count = await changeAndRecord(ctx, lockedBy(scope), async (changing) => {
    const { tx, nowMs } = changing;
    const actorId = 'caller' in changing ? changing.caller.memberId : null;
    const { counts } = await redeliver(tx, { ids, endpointIds: await endpointIdsIn(tx, scope) }, nowMs);
    const result = [...counts.values()].reduce((sum, each) => sum + each, 0);
    if (result === 0) throw new AppError('not_found');
    const lines = [...counts]
      .toSorted(([one], [other]) => one - other)
      .map(([id, sent]) => lineOf(scope, id, { count: sent }));
    for (const line of lines.slice(0, -1)) await recordAudit(tx, ctx, { ...line, atMs: nowMs, actorId });
    return { result, record: lines.at(-1) };
  });
  ctx.services.wakeups.wake('event-delivery');
  return { message: 'The deliveries are queued again', data: { count, redelivery: null } };
}

/** Begins a redelivery. If one of the endpoint is already running, it continues and is answered instead. */
async function redeliverBetween(
  ctx: NotAuthorized<EndpointManager>,
  scope: EndpointScope,
  { endpointId, ...range }: { endpointId: number; fromMs: number; toMs: number },
): Promise<Input<'redelivered'>> {
  const { redelivery, isNew } = await changeAndRecord(ctx, lockedBy(scope), async ({ tx, nowMs }) => {
    await lockEndpoints(tx, scope);
    const endpoint = await requireEndpoint(tx, scope, endpointId);
    const result = await beginRedelivery(tx, endpoint, { ...range, nowMs });
    const { from, to } = toRedeliveryView(result.redelivery);
    return { result, record: result.isNew ? lineOf(scope, endpointId, { from, to }) : undefined };
  });
  ctx.services.wakeups.wake('event-redelivery');
  return {
    message: isNew ? 'The deliveries are being queued again' : 'The redelivery that runs goes on',
    data: { count: 0, redelivery: toRedeliveryView(redelivery) },
  };
}

/** The line of an endpoint in the audit log. */
function lineOf(scope: EndpointScope, subjectId: number, facts: object): ChangeRecord {
  return {
    action: 'endpoint.redelivered',
    ...endpointSubject(scope, subjectId),
    before: null,
    after: endpointFacts(scope, facts),
  };
}
