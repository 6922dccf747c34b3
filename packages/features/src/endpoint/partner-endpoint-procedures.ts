import { audienceKey } from '@gatehouse/db/queries/events';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { procedure } from '../core/guard/procedure.js';
import { feedInput, feedView, readFeed } from '../event/read-feed.js';
import { callLimit } from '../partner/authenticate-partner.js';
import { LEVEL_OF_PARTNERS, scopeOfPartner } from './endpoint-scope.js';
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

/** A call by the token of a partner, about its own endpoints. It is counted as one of the partner's calls. */
const partnerCall = procedure({ who: 'partner' }).use(async ({ ctx, next }) => {
  await enforceLimit(ctx.services, callLimit(ctx, ctx.partner.id));
  return next({ ctx: { endpoints: scopeOfPartner(ctx.partner.id) } });
});

/** The events within the reach of a partner, and the endpoints that get them, managed by the partner's own back end. */
export const partnerEventProcedures = {
  list: partnerCall
    .input(feedInput)
    .output(feedView)
    .query(({ ctx, input }) => {
      const audience = audienceKey('partner', ctx.partner.id);
      const callerId = `partner:${ctx.partner.id}` as const;
      const feed = { scope: audience, audience, callerId, level: LEVEL_OF_PARTNERS };
      return readFeed(ctx, feed, { ...input, hidden: undefined });
    }),
  listEndpoints: partnerCall
    .output(ENDPOINT_SCHEMAS.listed)
    .query(({ ctx }) => listEndpointsIn(ctx.services, ctx.endpoints)),
  saveEndpoint: partnerCall
    .input(ENDPOINT_SCHEMAS.save)
    .output(ENDPOINT_SCHEMAS.saved)
    .mutation(({ ctx, input }) => saveEndpointIn(ctx, ctx.endpoints, input)),
  removeEndpoint: partnerCall
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.done)
    .mutation(({ ctx, input }) => removeEndpointIn(ctx, ctx.endpoints, input)),
  rotateSecret: partnerCall
    .input(ENDPOINT_SCHEMAS.rotate)
    .output(ENDPOINT_SCHEMAS.rotated)
    .mutation(({ ctx, input }) => rotateSecretIn(ctx, ctx.endpoints, input)),
  testEndpoint: partnerCall
    .input(ENDPOINT_SCHEMAS.one)
    .output(ENDPOINT_SCHEMAS.tested)
    .mutation(({ ctx, input }) => testEndpointIn(ctx, ctx.endpoints, input)),
  resumeEndpoint: partnerCall
    .input(ENDPOINT_SCHEMAS.resume)
    .output(ENDPOINT_SCHEMAS.changed)
    .mutation(({ ctx, input }) => resumeEndpointIn(ctx, ctx.endpoints, input)),
  listDeliveries: partnerCall
    .input(DELIVERY_SCHEMAS.list)
    .output(DELIVERY_SCHEMAS.listed)
    .query(({ ctx, input }) => listDeliveriesIn(ctx.services, ctx.endpoints, input)),
  deliveryDetail: partnerCall
    .input(DELIVERY_SCHEMAS.detail)
    .output(DELIVERY_SCHEMAS.detailed)
    .query(({ ctx, input }) => deliveryDetailIn(ctx.services, ctx.endpoints, input)),
  redeliver: partnerCall
    .input(DELIVERY_SCHEMAS.redeliver)
    .output(DELIVERY_SCHEMAS.redelivered)
    .mutation(({ ctx, input }) => redeliverIn(ctx, ctx.endpoints, input)),
};
