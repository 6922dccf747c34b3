import { FRESH } from '../core/guard/freshness.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { scopeOf } from './endpoint-scope.js';
import { DELIVERY_SCHEMAS, deliveryDetailIn, listDeliveriesIn, redeliverIn } from './manage-deliveries.js';
import {
  ENDPOINT_SCHEMAS,
  listEndpointsIn,
  removeEndpointIn,
  resumeEndpointIn,
  rotateSecretIn,
  saveEndpointIn,
  testEndpointIn,
} from './manage-endpoints.js';

const reading = accountProcedure('event.manage', { inPerson: true });

const writing = accountProcedure('event.manage', { inPerson: true, fresh: FRESH });

/** The endpoints that get the events of an account. */
export const eventEndpointProcedures = {
  list: reading
    .meta({ about: { summary: 'List the endpoints that get the events of the account' } })
    .output(ENDPOINT_SCHEMAS.listed)
    .query(({ ctx }) => listEndpointsIn(ctx.services, scopeOf(ctx.account.id))),
  save: writing
    .meta({
      about: {
        summary: 'Add or change an endpoint that gets the events of the account',
        refuses: ['url_not_allowed', 'not_found', 'limit_reached', 'rate_limited'],
      },
    })
    .input(ENDPOINT_SCHEMAS.save)
    .output(ENDPOINT_SCHEMAS.saved)
    .mutation(({ ctx, input }) => saveEndpointIn(ctx, scopeOf(ctx.account.id), input)),
  remove: writing
    .meta({ about: { summary: 'Remove an endpoint', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.done)
    .mutation(({ ctx, input }) => removeEndpointIn(ctx, scopeOf(ctx.account.id), input)),
  rotateSecret: writing
    .meta({ about: { summary: 'Give an endpoint a new secret', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.rotate)
    .output(ENDPOINT_SCHEMAS.rotated)
    .mutation(({ ctx, input }) => rotateSecretIn(ctx, scopeOf(ctx.account.id), input)),
  test: writing
    .meta({ about: { summary: 'Ping an endpoint now', refuses: ['not_found', 'rate_limited'] } })
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.tested)
    .mutation(({ ctx, input }) => testEndpointIn(ctx, scopeOf(ctx.account.id), input)),
  resume: writing
    .meta({ about: { summary: 'Send events to a disabled endpoint again', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.resume)
    .output(ENDPOINT_SCHEMAS.changed)
    .mutation(({ ctx, input }) => resumeEndpointIn(ctx, scopeOf(ctx.account.id), input)),
};

/** The outcomes of the events that were sent to the endpoints of an account. */
export const eventDeliveryProcedures = {
  list: reading
    .meta({ about: { summary: 'List the events that were sent to endpoints, newest first' } })
    .input(DELIVERY_SCHEMAS.list)
    .output(DELIVERY_SCHEMAS.listed)
    .query(({ ctx, input }) => listDeliveriesIn(ctx.services, scopeOf(ctx.account.id), input)),
  detail: reading
    .meta({ about: { summary: 'See every attempt to deliver an event', refuses: ['not_found'] } })
    .input(DELIVERY_SCHEMAS.detail)
    .output(DELIVERY_SCHEMAS.detailed)
    .query(({ ctx, input }) => deliveryDetailIn(ctx.services, scopeOf(ctx.account.id), input)),
  redeliver: writing
    .meta({ about: { summary: 'Deliver events again', refuses: ['not_found'] } })
    .input(DELIVERY_SCHEMAS.redeliver)
    .output(DELIVERY_SCHEMAS.redelivered)
    .mutation(({ ctx, input }) => redeliverIn(ctx, scopeOf(ctx.account.id), input)),
};
