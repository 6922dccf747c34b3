import { AppError, storableText } from '@gatehouse/auth-core';
import { giveUpPending, setUndeliveredDue } from '@gatehouse/db/queries/event-deliveries';
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoints,
  removeEndpoint,
  setEndpoint,
  setEndpointLive,
} from '@gatehouse/db/queries/event-endpoints';
import { findFeedEnd } from '@gatehouse/db/queries/events';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change, changeAndRecord, changedFields } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { type NotAuthorized, reauthorize } from '../core/guard/guarded.js';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  eventVersions,
  isOfDeployment,
  typesOf,
} from '../event/event-types.js';
import { endpointId, MAX_ENDPOINTS, moment, toMoment } from './endpoint-fields.js';
import {
  type EndpointManager,
  type EndpointScope,
  endpointFacts,
  endpointSubject,
  isDeployment,
  LEVEL_OF_PARTNERS,
  lockedBy,
  requireEndpoint,
} from './endpoint-scope.js';
import { generateEndpointSecret, openEndpointSecrets, sealEndpointSecret } from './endpoint-secrets.js';
import { redeliveryView, toRedeliveryView } from './redeliver-events.js';
import { isSuccess, pingEndpoint, reachOf } from './send-event.js';

const PINGS_A_MINUTE = 10;

const MINUTE_MS = 60_000;

const HOUR_MS = 3_600_000;

const SHOWN_CHARACTERS = 12;

const endpointView = z
  .object({
    id: z.int(),
    url: z.string(),
    types: z.array(z.string()).max(50),
    /** The version in which it gets each of these types. */
    versions: z.record(z.string(), z.int()),
    description: z.string(),
    active: z.boolean(),
    /** `pending` until it has answered a ping, then `live`; `disabled` until it is resumed. */
    state: z.enum(['pending', 'live', 'disabled']),
    /** Why it was disabled. */
    fault: z.enum(['gone', 'failing', 'backlog']).nullable(),
    /** How the newest secret begins; empty if no key of the service can decrypt it. */
    secretBeginning: z.string(),
    /** Until when the secret before the last rotation signs too. */
    previousSecretUntil: moment.nullable(),
    /** Failed attempts since the last success. */
    failures: z.int(),
    failingSince: moment.nullable(),
    lastSuccessAt: moment.nullable(),
    /** How far the last redelivery between two moments is. */
    redelivery: redeliveryView.nullable(),
    createdAt: moment,
  })
  .meta({ id: 'EventEndpoint' });

function toEndpointView(
  services: Pick<Services, 'cipher' | 'now'>,
  row: EndpointRow,
): z.output<typeof endpointView> {
  const { id, url, types, description, active, state, fault, failures } = row;
  const [newest, previous] = openEndpointSecrets(services, row, services.now());
  return {
    id,
    url,
    types,
    versions: versionsOf(types),
    description,
    active,
    state,
    fault,
    secretBeginning: newest?.slice(0, SHOWN_CHARACTERS) ?? '',
    previousSecretUntil: previous === undefined ? null : toMoment(row.previousUntilMs),
    failures,
    failingSince: toMoment(row.failingSinceMs),
    lastSuccessAt: toMoment(row.lastSuccessAtMs),
    redelivery: row.redelivery && toRedeliveryView(row.redelivery),
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}

/** There is one version of each type, so there is nothing to store yet. A stored type may be of a newer release. */
function versionsOf(types: readonly string[]): Record<string, number> {
  const chosen = EVENT_TYPE_NAMES.filter((type) =>
    types.some((name) => name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1)))),
  );
  return Object.fromEntries(chosen.map((type) => [type, EVENT_TYPES[type].version]));
}

const pingView = z.object({
  /** Null if there was no answer. */
  httpStatus: z.int().nullable(),
  ms: z.int(),
  /** `accepted` for 2xx, `rejected` for other answers, or why there was no answer. */
  verdict: z.string(),
});

const secret = z.string();

/** The inputs and outputs of the procedures, for every scope. */
export const ENDPOINT_SCHEMAS = {
  listed: z.object({ data: z.array(endpointView).max(MAX_ENDPOINTS) }),
  /** Fields that a change of an endpoint omits keep their values. A new endpoint needs an address and types. */
  save: z.object({
    endpointId: endpointId.optional(),
    url: storableText(1000).optional(),
    /** Names of types, or `member.*` for all of one kind. */
    types: z.array(z.string().max(64)).min(1).max(50).optional(),
    /** The version of a type to send, if it is not the newest: each type has one version today. */
    versions: eventVersions.optional(),
    description: z.union([z.literal(''), storableText(200)]).optional(),
    active: z.boolean().optional(),
  }),
  saved: z.object({
    message: z.string(),
    data: endpointView,
    /** The secret of a new endpoint; it is shown only now. */
    secret: secret.optional(),
    /** What a new or changed address answered. */
    ping: pingView.nullable(),
  }),
  one: z.object({ endpointId }),
  rotate: z.object({ endpointId, overlapHours: z.int().min(0).max(168).default(24) }),
  rotated: z.object({ message: z.string(), data: endpointView, secret }),
  tested: z.object({ data: pingView }),
  resume: z.object({ endpointId, from: z.enum(['lastDelivered', 'now']) }),
  changed: z.object({ message: z.string(), data: endpointView }),
  done: z.object({ message: z.string() }),
} as const;

type Schemas = typeof ENDPOINT_SCHEMAS;

type Input<Name extends keyof Schemas> = z.output<Schemas[Name]>;

type Call = NotAuthorized<EndpointManager>;

export async function listEndpointsIn(
  services: Services,
  { scope }: EndpointScope,
): Promise<Input<'listed'>> {
  const rows = await listEndpoints(services.db, { scope, limit: MAX_ENDPOINTS });
  return { data: rows.map((row) => toEndpointView(services, row)) };
}

/**
 * Adds or changes an endpoint. A new or changed address is pinged, and gets events once it has answered.
 * @throws {AppError} `not_found`, `limit_reached`, `url_not_allowed`, `rate_limited`
 */
export async function saveEndpointIn(
  ctx: Call,
  scope: EndpointScope,
  { endpointId: id, ...changes }: Input<'save'>,
): Promise<Input<'saved'>> {
  const { services } = ctx;
  const known = id === undefined ? undefined : await findEndpoint(services.db, { id, scope: scope.scope });
  if (id !== undefined && known === undefined) throw new AppError('not_found');
  const { url, types } = withChanges(known, changes);
  requireTypes(scope, types);
  const isNewAddress = url !== known?.url;
  if (isNewAddress) {
    await limitPings(ctx, scope);
    if (!(await services.outbound.accepts(url, reachOf(scope)))) throw new AppError('url_not_allowed');
  }
  const made = await changeAndRecord(ctx, lockedBy(scope), async (changing) => {
    const { tx, nowMs } = changing;
    await lockEndpoints(tx, scope);
    const before = id === undefined ? undefined : await requireEndpoint(tx, scope, id);
    const wanted = withChanges(before, changes);
    // Another call changed the address, so that this one is new and was not checked.
    if (before !== undefined && before.url !== known?.url && before.url !== wanted.url)
      throw new AppError('unavailable', { retryAfterSeconds: 1 });
    const by = 'caller' in changing ? changing.caller : undefined;
    const sessionLevel = scope.partnerId === null ? by?.session.level : undefined;
    const saved = { ...wanted, level: sessionLevel ?? LEVEL_OF_PARTNERS, savedById: by?.memberId ?? 0 };
    if (before === undefined && (await countEndpoints(tx, scope.scope)) >= MAX_ENDPOINTS)
      throw new AppError('limit_reached');
    const changed = changedFields({ ...before }, { ...wanted, level: saved.level });
    const created = before === undefined ? generateEndpointSecret() : undefined;
    let endpoint = before?.id ?? 0;
    if (created !== undefined) {
      const position = (await findFeedEnd(tx)) ?? 0;
      endpoint = await insertEndpoint(tx, { ...scope, ...saved, position }, nowMs);
      await setEndpoint(tx, endpoint, { secret: sealEndpointSecret(services, endpoint, created) });
    } else {
      const healthy = { failures: 0, failingSinceMs: null, notifiedAtMs: null };
      const anew = { state: 'pending', fault: null, ...healthy } as const;
      const isMoved = before?.url !== wanted.url;
      const updated = changed === undefined ? {} : { updatedAtMs: nowMs };
      await setEndpoint(tx, endpoint, { ...saved, ...updated, ...(isMoved && anew) });
    }
    return {
      result: { row: await requireEndpoint(tx, scope, endpoint), secret: created },
      record: changed && {
        action: before === undefined ? 'endpoint.made' : 'endpoint.changed',
        ...endpointSubject(scope, endpoint),
        before: before === undefined ? null : withoutQuery(changed.before),
        after: endpointFacts(scope, withoutQuery(changed.after)),
      },
    };
  });
  const isPinged = isNewAddress && made.row.state === 'pending';
  const ping = isPinged ? await pingAndSettle(ctx, made.row) : null;
  const row = (await findEndpoint(services.db, { id: made.row.id })) ?? made.row;
  return {
    message: 'The endpoint is saved',
    data: toEndpointView(services, row),
    ...(made.secret === undefined ? {} : { secret: made.secret }),
    ping,
  };
}

/**
 * The settings of an endpoint after a change of some of them.
 * @throws {AppError} `invalid_input` for a new one without an address or types
 */
function withChanges(
  before: EndpointRow | undefined,
  {
    url = before?.url,
    types = before?.types,
    description = before?.description ?? '',
    active = before?.active ?? true,
  }: Omit<Input<'save'>, 'endpointId' | 'versions'>,
) {
  if (url !== undefined && types !== undefined) return { url, types, description, active };
  const missing = Object.entries({ url, types }).filter(([, value]) => value === undefined);
  throw new AppError('invalid_input', {
    issues: missing.map(([path]) => ({ path, message: 'is missing' })),
  });
}

/** @throws {AppError} `invalid_input` for an unknown name, or of a type that this scope never gets */
function requireTypes(scope: EndpointScope, types: readonly string[]): void {
  typesOf(types);
  if (isDeployment(scope)) return;
  const refused = types.findIndex((name) => typesOf([name]).some(isOfDeployment));
  if (refused < 0) return;
  const issues = [{ path: `types.${refused}`, message: 'Only endpoints of the deployment get these events' }];
  throw new AppError('invalid_input', { issues });
}

/** Queries of addresses may hold secrets, and stay out of the audit log. */
function withoutQuery(fields: Record<string, unknown>): Record<string, unknown> {
  const { url, ...others } = fields;
  return typeof url === 'string' ? { ...others, url: url.split('?')[0] } : fields;
}

/** A member's pings are counted for all their endpoints together, and a partner's for those of the partner. */
async function limitPings({ services, call }: Call, { scope }: EndpointScope): Promise<void> {
  const limit = {
    key: `pings:${call.facts.memberId ?? scope}`,
    name: 'pings',
    most: PINGS_A_MINUTE,
    windowMs: MINUTE_MS,
  };
  await enforceLimit(services, limit);
}

/**
 * Pings an endpoint, and makes it live if it waited for that. A ping may take long, so the caller's access is checked again after it.
 * @throws {AppError} a refusal
 */
async function pingAndSettle(ctx: Call, endpoint: EndpointRow): Promise<z.output<typeof pingView>> {
  const { services } = ctx;
  const sent = await pingEndpoint(services, endpoint);
  await reauthorize(ctx);
  const isAccepted = isSuccess(sent);
  const { id, url } = endpoint;
  if (isAccepted && endpoint.state === 'pending') {
    await setEndpointLive(services.db, { id, url, nowMs: services.now() });
    services.wakeups.wake('event-queue');
  }
  const verdict = sent.error ?? (isAccepted ? 'accepted' : 'rejected');
  return { httpStatus: sent.status, ms: sent.ms, verdict };
}

/** Removes an endpoint: nothing more is sent to it. */
export async function removeEndpointIn(
  ctx: Call,
  scope: EndpointScope,
  { endpointId: id }: Input<'one'>,
): Promise<Input<'done'>> {
  await changeAndRecord(ctx, lockedBy(scope), async ({ tx }) => {
    await lockEndpoints(tx, scope);
    const { url, types, description, active } = await requireEndpoint(tx, scope, id);
    await removeEndpoint(tx, id);
    const before = withoutQuery({ url, types, description, active });
    return {
      result: undefined,
      record: {
        action: 'endpoint.removed',
        ...endpointSubject(scope, id),
        before: endpointFacts(scope, before),
        after: null,
      },
    };
  });
  return { message: 'The endpoint is removed' };
}

/** Gives an endpoint a new secret. The one before signs too for some hours, older ones end at once. */
export async function rotateSecretIn(
  ctx: Call,
  scope: EndpointScope,
  { endpointId: id, overlapHours }: Input<'rotate'>,
): Promise<Input<'rotated'>> {
  const { services } = ctx;
  const made = await changeAndRecord(ctx, lockedBy(scope), async ({ tx, nowMs }) => {
    await lockEndpoints(tx, scope);
    const { secret: newest } = await requireEndpoint(tx, scope, id);
    const created = generateEndpointSecret();
    const previousUntilMs = overlapHours === 0 ? null : nowMs + overlapHours * HOUR_MS;
    await setEndpoint(tx, id, {
      secret: sealEndpointSecret(services, id, created),
      previousSecret: previousUntilMs === null ? null : newest,
      previousUntilMs,
      updatedAtMs: nowMs,
    });
    return {
      result: { row: await requireEndpoint(tx, scope, id), secret: created },
      record: {
        action: 'endpoint.secret-rotated',
        ...endpointSubject(scope, id),
        before: null,
        after: endpointFacts(scope, { previousUntilMs }),
      },
    };
  });
  return {
    message: 'The endpoint has a new secret',
    data: toEndpointView(services, made.row),
    secret: made.secret,
  };
}

/**
 * Pings an endpoint now.
 * @throws {AppError} `not_found`, `rate_limited`
 */
export async function testEndpointIn(
  ctx: Call,
  scope: EndpointScope,
  { endpointId: id }: Input<'one'>,
): Promise<Input<'tested'>> {
  const endpoint = await change(ctx, {}, async ({ tx }) => requireEndpoint(tx, scope, id));
  await limitPings(ctx, scope);
  return { data: await pingAndSettle(ctx, endpoint) };
}

/** Makes a disabled endpoint live again: with what it missed, or from now on. */
export async function resumeEndpointIn(
  ctx: Call,
  scope: EndpointScope,
  { endpointId: id, from }: Input<'resume'>,
): Promise<Input<'changed'>> {
  const { services } = ctx;
  const row = await changeAndRecord(ctx, lockedBy(scope), async ({ tx, nowMs }) => {
    await lockEndpoints(tx, scope);
    const before = await requireEndpoint(tx, scope, id);
    const { state, fault, position, lastSuccessAtMs, createdAtMs } = before;
    const end = (await findFeedEnd(tx)) ?? position;
    if (from === 'now') await giveUpPending(tx, { endpointId: id, nowMs });
    else {
      const sinceMs = lastSuccessAtMs ?? createdAtMs;
      await setUndeliveredDue(tx, { endpointId: id, sinceMs, nowMs });
    }
    await setEndpoint(tx, id, {
      // An address that has not answered yet still has to.
      state: state === 'pending' ? 'pending' : 'live',
      fault: null,
      failures: 0,
      failingSinceMs: null,
      notifiedAtMs: null,
      position: from === 'now' ? Math.max(end, position) : position,
      updatedAtMs: nowMs,
    });
    return {
      result: await requireEndpoint(tx, scope, id),
      record: {
        action: 'endpoint.resumed',
        ...endpointSubject(scope, id),
        before: { state, fault },
        after: endpointFacts(scope, { from }),
      },
    };
  });
  services.wakeups.wake('event-queue');
  services.wakeups.wake('event-delivery');
  return { message: 'The endpoint is resumed', data: toEndpointView(services, row) };
}
