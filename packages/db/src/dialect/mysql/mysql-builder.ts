import { drizzle } from 'drizzle-orm/mysql-proxy';
import type { ReadRows, StatementBuilder } from '../../statement-builder.js';
import { refuseDirectWrite } from '../refuse-direct-write.js';
import { createNameSharing } from '../share-column-names.js';
import { withPlainErrors } from '../with-plain-errors.js';

const sharingNames = createNameSharing();

/** A query builder for MySQL that reads through the given function. */
export function mysqlBuilder(read: ReadRows): StatementBuilder {
  return withPlainErrors(
    sharingNames(
      drizzle(
        async (sql, params, method) => {
          refuseDirectWrite(method);
          return { rows: await read(sql, params) };
        },
        { casing: 'snake_case' },
      ),
    ),
  );
}
