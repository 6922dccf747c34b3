import { z } from 'zod';

/** What only the operator's command line reads: the services must not have it. */
export const operatorConfigShape = {
  MIGRATION_DATABASE_URL: z
    .string()
    .regex(/^mysql:\/\//, 'must begin with mysql://')
    .optional(),
} as const;
