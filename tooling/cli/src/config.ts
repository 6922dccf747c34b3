import { databaseUrl } from '@gatehouse/runtime/config/config-values';

/** Settings only the operator's command line reads. The services must not have them. */
export const operatorConfigShape = {
  MIGRATION_DATABASE_URL: databaseUrl
    .refine((value) => value.startsWith('mysql://'), 'must begin with mysql://')
    .optional(),
} as const;
