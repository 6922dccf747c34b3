import type { RawAbout } from '@gatehouse/http/rest/route';
import { z } from 'zod';

/** The documents' descriptions of the URLs that redirect browsers to a provider and back. */
export function visitAbout(query: z.ZodObject): RawAbout {
  return {
    tag: 'pages',
    params: { provider: z.string().max(50).describe('The key of a provider') },
    query,
    answers: {
      302: {
        description: 'To the provider, or to the front end with what came of it',
        headers: { Location: 'Where the browser goes on' },
      },
    },
    refuses: ['not_found', 'provider_not_configured'],
  };
}
