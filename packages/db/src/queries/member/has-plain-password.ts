import { and, like, not, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** True of members whose stored password has not the form of a bcrypt hash (60 characters, `$2a$`, `$2b$` or `$2y$`). */
export function hasPlainPassword({ members }: Tables): SQL {
  const { password } = members;
  const isHash = and(
    sql`length(${password}) = 60`,
    or(like(password, '$2a$%'), like(password, '$2b$%'), like(password, '$2y$%')),
  );
  return not(isHash ?? sql`false`);
}
