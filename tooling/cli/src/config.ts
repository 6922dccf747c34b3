import { databaseUrl } from '@gatehouse/runtime/config/config-values';

/** What only the operator's command line reads: the services must not have it. */
export const operatorConfigShape = {
  MIGRATION_DATABASE_URL: databaseUrl
    .refine((value) => value.startsWith('mysql://'), 'must begin with mysql://')
    .optional(),
} as const;
