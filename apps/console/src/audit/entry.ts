import type { AdminOutputs } from '@gatehouse/client-sdk/admin';

/** A line of the audit log. */
export type Entry = AdminOutputs['audit']['list']['data'][number];
