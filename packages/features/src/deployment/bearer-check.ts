import { z } from 'zod';
import { procedure } from '../core/guard/procedure.js';

/** The health check for older and native integrations, which call it with their bearer token. */
export function bearer(service: { readonly name: string; readonly version: string }) {
  return procedure({ who: 'bearer' })
    .output(z.object({ message: z.string(), service: z.string(), version: z.string() }))
    .query(() => ({ message: 'The service is up', service: service.name, version: service.version }));
}
