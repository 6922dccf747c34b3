import { drizzle } from 'drizzle-orm/mysql-proxy';
import type { ReadRows, StatementBuilder } from '../../statement-builder.js';
import { refuseDirectWrite } from '../refuse-direct-write.js';
import { withPlainErrors } from '../with-plain-errors.js';

/** A query builder for MySQL that reads through the given function. */
export function mysqlBuilder(read: ReadRows): StatementBuilder {
  return withPlainErrors(
    drizzle(
      async (sql, params, method) => {
        refuseDirectWrite(method);
        return { rows: await read(sql, params) };
      },
      { casing: 'snake_case' },
    ),
  );
}
