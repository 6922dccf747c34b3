import { sendJson } from '@gatehouse/http/rest/reply';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../../core/context.js';

const CACHE_SECONDS = 300;

/** The public keys of tokens for others (RFC 7517). */
export const jwks: RawEndpoint<Context> = {
  summary: 'The public keys that verify access tokens',
  about: {
    tag: 'machines',
    answers: {
      200: {
        description: 'A JWK Set (RFC 7517)',
        content: {
          'application/jwk-set+json': z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
        },
        headers: { 'Cache-Control': 'How long it may be kept' },
      },
    },
    refuses: ['unavailable'],
  },
  async handle({ ctx, response }) {
    const keys = await ctx.services.signingKeys.published();
    response.setHeader('Cache-Control', `public, max-age=${CACHE_SECONDS}`);
    response.setHeader('Access-Control-Allow-Origin', '*');
    sendJson(response, 200, { keys }, 'application/jwk-set+json');
  },
};
