import { bearerProcedure } from '@gatehouse/features/app/procedures';
import { z } from 'zod';
import { SERVICE_NAME, SERVICE_VERSION } from '../identity.js';

/** The health check that older and native integrations call with their bearer token. */
export const bearer = bearerProcedure
  .output(z.object({ message: z.string(), service: z.string(), version: z.string() }))
  .query(() => ({ message: 'The service is up', service: SERVICE_NAME, version: SERVICE_VERSION }));
