import { and, eq, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * True for members whose stored password is no hash that is compared: neither a bcrypt hash of cost 4 to 12 nor a wrapped
 * one, as `readStoredPassword` of auth-core reads them.
 * @param isPlain whether it was declared to be the password itself
 */
export function hasUnknownPassword(db: Database, isPlain: boolean): SQL {
  const { passwordIsPlain } = db.tables.members;
  const isHash = db.dialect === 'mysql' ? isMysqlHash(db) : isLibsqlHash(db);
  return and(not(isHash ?? sql`false`), eq(passwordIsPlain, isPlain)) ?? sql`false`;
}

/** The length is compared because `$` also matches before a line break at the end. */
function isMysqlHash({ tables }: Database): SQL | undefined {
  const { password } = tables.members;
  return or(
    sql`length(${password}) = 60 and ${password} regexp '^[$]2[aby][$](0[4-9]|1[0-2])[$][./A-Za-z0-9]{53}$'`,
    sql`length(${password}) = 97 and ${password} regexp '^[$]wrapped[$]2[ab][$]0[4-9][$][./A-Za-z0-9]{22}[$]2b[$]10[$][./A-Za-z0-9]{53}$'`,
  );
}

function isLibsqlHash({ tables }: Database): SQL | undefined {
  const { password } = tables.members;
  const isBase64 = (part: SQL) => sql`${part} not glob '*[^./A-Za-z0-9]*'`;
  return or(
    and(
      sql`length(${password}) = 60`,
      or(sql`${password} glob '$2[aby]$0[4-9]$*'`, sql`${password} glob '$2[aby]$1[0-2]$*'`),
      isBase64(sql`substr(${password}, 8)`),
    ),
    and(
      sql`length(${password}) = 97`,
      sql`${password} glob '$wrapped$2[ab]$0[4-9]$*'`,
      isBase64(sql`substr(${password}, 16, 22)`),
      sql`substr(${password}, 38, 7) = '$2b$10$'`,
      isBase64(sql`substr(${password}, 45)`),
    ),
  );
}
