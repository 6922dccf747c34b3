import { sendJson } from '@gatehouse/http/rest/reply';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { productName } from '../core/config.js';
import type { Context } from '../core/context.js';
import { BUNDLES } from '../core/guard/scope-permissions.js';

/** Where a client reads how to get a token for this service; for a path of it, that path follows (RFC 9728, section 3.1). */
export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';

const CACHE_SECONDS = 300;

const answer = z.object({
  resource: z.string(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.literal('header')),
});

/**
 * Tells clients which tokens this service accepts, and who issues them (RFC 9728). Clients ask for its scopes unless they know
 * better.
 */
export const protectedResource = {
  summary: 'Tells which tokens this service takes, and who issues them',
  about: {
    tag: 'machines',
    answers: {
      200: {
        description: 'The metadata of this service as a protected resource (RFC 9728)',
        content: { 'application/json': answer },
        headers: { 'Cache-Control': 'How long it may be kept' },
      },
    },
    refuses: [],
  },
  handle({ ctx, response }) {
    const { config } = ctx.services;
    response.setHeader('Cache-Control', `public, max-age=${CACHE_SECONDS}`);
    response.setHeader('Access-Control-Allow-Origin', '*');
    sendJson(response, 200, {
      resource: config.BASE_URL,
      resource_name: productName(config),
      authorization_servers: [config.BASE_URL],
      scopes_supported: [...BUNDLES],
      bearer_methods_supported: ['header'],
    } satisfies z.output<typeof answer>);
  },
} as const satisfies RawEndpoint<Context>;
