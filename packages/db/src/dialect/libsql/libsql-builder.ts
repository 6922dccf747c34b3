import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { ReadRows, StatementBuilder } from '../../statement-builder.js';
import { refuseDirectWrite } from '../refuse-direct-write.js';
import { createNameSharing } from '../share-column-names.js';
import { withPlainErrors } from '../with-plain-errors.js';
import { typedAsMysql } from './typed-as-mysql.js';

const sharingNames = createNameSharing();

/** A query builder for SQLite that reads through the given function. */
export function libsqlBuilder(read: ReadRows): StatementBuilder {
  return typedAsMysql(
    withPlainErrors(
      sharingNames(
        drizzle(
          async (sql, params, method) => {
            refuseDirectWrite(method);
            return { rows: await read(sql, params) };
          },
          refuseBatch,
          { casing: 'snake_case' },
        ),
      ),
    ),
  );
}

/** The builder reads its casing option only from the argument after this one. */
async function refuseBatch(): Promise<never> {
  throw new Error('statements run one by one, or in a transaction');
}
