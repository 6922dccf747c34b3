import { and, like, not, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/**
 * True for members whose stored password has neither the form of a bcrypt hash (60 characters, `$2a$`,
 * `$2b$`, `$2x$` or `$2y$`) nor that of a wrapped one.
 */
export function hasPlainPassword({ members }: Tables): SQL {
  const { password } = members;
  const isHash = and(
    sql`length(${password}) = 60`,
    or(like(password, '$2a$%'), like(password, '$2b$%'), like(password, '$2x$%'), like(password, '$2y$%')),
  );
  return not(or(isHash, like(password, '$wrapped$2%')) ?? sql`false`);
}
