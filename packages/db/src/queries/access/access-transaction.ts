import type { Database } from '../../database.js';

/**
 * The handle inside `changeAccess`. Queries that change who may do what take no other, so that no such change is made
 * without being recorded in the same transaction.
 */
export interface AccessTransaction extends Database {
  readonly recordsAccess: true;
}
