import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { DEPLOYMENT } from '../endpoint-scope.js';
import { DELIVERY_SCHEMAS, deliveryDetailIn, listDeliveriesIn, redeliverIn } from '../manage-deliveries.js';
import {
  ENDPOINT_SCHEMAS,
  listEndpointsIn,
  removeEndpointIn,
  resumeEndpointIn,
  rotateSecretIn,
  saveEndpointIn,
  testEndpointIn,
} from '../manage-endpoints.js';

const reading = staffProcedure('platformEvent.manage');

const writing = staffProcedure('platformEvent.manage', { fresh: FRESH });

/** The endpoints that get the events of the deployment. */
export const platformEndpointProcedures = {
  list: reading
    .meta({ about: { summary: 'List the endpoints that get the events of the deployment' } })
    .output(ENDPOINT_SCHEMAS.listed)
    .query(({ ctx }) => listEndpointsIn(ctx.services, DEPLOYMENT)),
  save: writing
    .meta({
      about: {
        summary: 'Add or change an endpoint that gets the events of the deployment',
        refuses: ['url_not_allowed', 'not_found', 'limit_reached', 'rate_limited'],
      },
    })
    .input(ENDPOINT_SCHEMAS.save)
    .output(ENDPOINT_SCHEMAS.saved)
    .mutation(({ ctx, input }) => saveEndpointIn(ctx, DEPLOYMENT, input)),
  remove: writing
    .meta({ about: { summary: 'Remove an endpoint', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.done)
    .mutation(({ ctx, input }) => removeEndpointIn(ctx, DEPLOYMENT, input)),
  rotateSecret: writing
    .meta({ about: { summary: 'Give an endpoint a new secret', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.rotate)
    .output(ENDPOINT_SCHEMAS.rotated)
    .mutation(({ ctx, input }) => rotateSecretIn(ctx, DEPLOYMENT, input)),
  test: writing
    .meta({ about: { summary: 'Ping an endpoint now', refuses: ['not_found', 'rate_limited'] } })
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.tested)
    .mutation(({ ctx, input }) => testEndpointIn(ctx, DEPLOYMENT, input)),
  resume: writing
    .meta({ about: { summary: 'Send events to a disabled endpoint again', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.resume)
    .output(ENDPOINT_SCHEMAS.changed)
    .mutation(({ ctx, input }) => resumeEndpointIn(ctx, DEPLOYMENT, input)),
};

/** The outcomes of the events that were sent to the endpoints of the deployment. */
export const platformDeliveryProcedures = {
  list: reading
    .meta({ about: { summary: 'List the events that were sent to endpoints, newest first' } })
    .input(DELIVERY_SCHEMAS.list)
    .output(DELIVERY_SCHEMAS.listed)
    .query(({ ctx, input }) => listDeliveriesIn(ctx.services, DEPLOYMENT, input)),
  detail: reading
    .meta({ about: { summary: 'See every attempt to deliver an event', refuses: ['not_found'] } })
    .input(DELIVERY_SCHEMAS.detail)
    .output(DELIVERY_SCHEMAS.detailed)
    .query(({ ctx, input }) => deliveryDetailIn(ctx.services, DEPLOYMENT, input)),
  redeliver: writing
    .meta({ about: { summary: 'Deliver events again', refuses: ['not_found'] } })
    .input(DELIVERY_SCHEMAS.redeliver)
    .output(DELIVERY_SCHEMAS.redelivered)
    .mutation(({ ctx, input }) => redeliverIn(ctx, DEPLOYMENT, input)),
};
