import { AppError, timingSafeEqualText } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { RequestContext } from '../server/request-context.js';
import { bearerTokenIn } from '../server/token-headers.js';
import { send } from './reply.js';
import type { RawEndpoint } from './route.js';

/** The metrics of this process, for holders of METRICS_TOKEN. Not found when that variable is unset. */
export const metricsEndpoint: RawEndpoint<RequestContext> = {
  summary: 'Figures for Prometheus',
  about: {
    tag: 'machines',
    security: 'metrics',
    answers: {
      200: {
        description: 'The figures, in the text format of Prometheus',
        content: { 'text/plain': z.string() },
      },
    },
    refuses: ['unauthorized', 'not_found', 'unavailable'],
  },
  handle: async ({ response, ctx }) => {
    const { METRICS_TOKEN } = ctx.services.config;
    if (METRICS_TOKEN === undefined) throw new AppError('not_found');
    if (!timingSafeEqualText(bearerTokenIn(ctx.call.header('authorization')) ?? '', METRICS_TOKEN))
      throw new AppError('unauthorized');
    const { contentType, text } = await ctx.services.metrics.render();
    response.setHeader('Cache-Control', 'no-store');
    send(response, 200, contentType, text);
  },
};
