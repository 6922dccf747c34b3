import type { Database } from '../../database.js';

/**
 * The handle inside `changeAccess`. Queries that change access accept no other handle, so every such change is
 * logged in the same transaction.
 */
export interface AccessTransaction extends Database {
  readonly recordsAccess: true;
}
