import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findPartner } from '@gatehouse/db/queries/partners';
import { z } from 'zod';
import { FRESH } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { type EndpointScope, scopeOfPartner } from '../endpoint-scope.js';
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

const reading = staffProcedure('partner.manage');

const writing = staffProcedure('partner.manage', { fresh: FRESH });

const ofPartner = z.object({ partnerId: z.int().positive() });

/** @throws {AppError} `not_found` */
async function scopeIn(db: Database, partnerId: number): Promise<EndpointScope> {
  if ((await findPartner(db, { id: partnerId })) === undefined) throw new AppError('not_found');
  return scopeOfPartner(partnerId);
}

/** The endpoints that get the events of a partner, managed by staff. */
export const endpointsOfPartnersProcedures = {
  listEndpoints: reading
    .meta({
      about: { summary: 'List the endpoints that get the events of a partner', refuses: ['not_found'] },
    })
    .input(ofPartner)
    .output(ENDPOINT_SCHEMAS.listed)
    .query(async ({ ctx, input: { partnerId } }) =>
      listEndpointsIn(ctx.services, await scopeIn(ctx.services.db, partnerId)),
    ),
  saveEndpoint: writing
    .meta({
      about: {
        summary: 'Add or change an endpoint that gets the events of a partner',
        refuses: ['url_not_allowed', 'not_found', 'limit_reached', 'rate_limited'],
      },
    })
    .input(ENDPOINT_SCHEMAS.save.extend(ofPartner.shape))
    .output(ENDPOINT_SCHEMAS.saved)
    .mutation(async ({ ctx, input: { partnerId, ...endpoint } }) =>
      saveEndpointIn(ctx, await scopeIn(ctx.services.db, partnerId), endpoint),
    ),
  removeEndpoint: writing
    .meta({ about: { summary: 'Remove an endpoint of a partner', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.one.extend(ofPartner.shape))
    .output(ENDPOINT_SCHEMAS.done)
    .mutation(async ({ ctx, input }) =>
      removeEndpointIn(ctx, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  rotateSecret: writing
    .meta({ about: { summary: 'Give an endpoint of a partner a new secret', refuses: ['not_found'] } })
    .input(ENDPOINT_SCHEMAS.rotate.extend(ofPartner.shape))
    .output(ENDPOINT_SCHEMAS.rotated)
    .mutation(async ({ ctx, input }) =>
      rotateSecretIn(ctx, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  testEndpoint: writing
    .meta({
      about: { summary: 'Ping an endpoint of a partner now', refuses: ['not_found', 'rate_limited'] },
    })
    .input(ENDPOINT_SCHEMAS.one.extend(ofPartner.shape))
    .output(ENDPOINT_SCHEMAS.tested)
    .mutation(async ({ ctx, input }) =>
      testEndpointIn(ctx, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  resumeEndpoint: writing
    .meta({
      about: { summary: 'Send events to a disabled endpoint of a partner again', refuses: ['not_found'] },
    })
    .input(ENDPOINT_SCHEMAS.resume.extend(ofPartner.shape))
    .output(ENDPOINT_SCHEMAS.changed)
    .mutation(async ({ ctx, input }) =>
      resumeEndpointIn(ctx, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  listDeliveries: reading
    .meta({
      about: {
        summary: 'List the events that were sent to endpoints of a partner, newest first',
        refuses: ['not_found'],
      },
    })
    .input(DELIVERY_SCHEMAS.list.unwrap().extend(ofPartner.shape))
    .output(DELIVERY_SCHEMAS.listed)
    .query(async ({ ctx, input }) =>
      listDeliveriesIn(ctx.services, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  deliveryDetail: reading
    .meta({
      about: { summary: 'See every attempt to deliver an event to a partner', refuses: ['not_found'] },
    })
    .input(DELIVERY_SCHEMAS.detail.extend(ofPartner.shape))
    .output(DELIVERY_SCHEMAS.detailed)
    .query(async ({ ctx, input }) =>
      deliveryDetailIn(ctx.services, await scopeIn(ctx.services.db, input.partnerId), input),
    ),
  redeliver: writing
    .meta({ about: { summary: 'Deliver events to a partner again', refuses: ['not_found'] } })
    .input(DELIVERY_SCHEMAS.redeliver.extend(ofPartner.shape))
    .output(DELIVERY_SCHEMAS.redelivered)
    .mutation(async ({ ctx, input: { partnerId, ...chosen } }) =>
      redeliverIn(ctx, await scopeIn(ctx.services.db, partnerId), chosen),
    ),
};
