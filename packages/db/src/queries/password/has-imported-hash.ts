import { and, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** True for bcrypt hashes that need work: a cost below 10, or a higher cost without recorded rounds. */
export function hasImportedHash({ members }: Tables): SQL {
  const { password, passwordRounds } = members;
  const cost = sql`substr(${password}, 5, 2)`;
  const isHash = sql`length(${password}) = 60 and substr(${password}, 1, 4) in ('$2a$', '$2b$', '$2y$')`;
  const isLow = sql`${cost} in ('04', '05', '06', '07', '08', '09')`;
  const isUncounted = and(sql`${cost} in ('11', '12')`, isNull(passwordRounds));
  return and(isHash, or(isLow, isUncounted)) ?? sql`false`;
}
