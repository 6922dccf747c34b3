import { z } from 'zod';
import { bearerProcedure } from '../core/guard/procedures.js';

/** The health check for older and native integrations, which call it with their bearer token. */
export function bearer(service: { readonly name: string; readonly version: string }) {
  return bearerProcedure
    .output(z.object({ message: z.string(), service: z.string(), version: z.string() }))
    .query(() => ({ message: 'The service is up', service: service.name, version: service.version }));
}
