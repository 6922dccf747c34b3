import { type Column, not, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import type { MemberScope } from './member-scope.js';

/** True for rows whose column is an account in scope; undefined where every account is. */
export function inAccountScope(db: Database, column: Column, scope: MemberScope): SQL | undefined {
  if (!scope.all) return amongIds(db, column, scope.accountIds);
  if (scope.except === undefined || scope.except.size === 0) return undefined;
  return not(amongIds(db, column, [...scope.except]));
}
