import {
  customType,
  index,
  integer,
  primaryKey,
  type SQLiteColumnBuilderBase,
  sqliteTable,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Vocabulary } from '../mysql/mysql-vocabulary.js';
import type { ReadRows, StatementBuilder } from '../statement-builder.js';
import { createNameSharing, refuseDirectWrite, withPlainErrors } from '../statement-builder.js';
import { storedString } from '../stored-text.js';
import { type IndexRow, indexName, recordIndexRows } from '../table-indexes.js';

/**
 * Gives a value of the embedded dialect the type of its MySQL counterpart. The value does not change. This is
 * safe because both dialects share one vocabulary and one query builder with the same methods and results. The
 * tests run every table and query on both.
 */
function typedAsMysql<Mysql>(embedded: object): Mysql {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above
  return embedded as Mysql;
}

const varchar = customType<{
  data: string;
  driverData: string;
  config: { length: number };
  configRequired: true;
}>({
  dataType: () => 'text',
  toDriver: storedString,
});

const text = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storedString,
});

const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (stored): unknown => JSON.parse(stored),
});

const maybe = {
  flag: () => integer({ mode: 'boolean' }),
  instant: () => integer(),
  integer: () => integer(),
  reference: () => integer(),
  string: (length: number) => varchar({ length }),
  key: (length: number) => varchar({ length }),
  digest: () => varchar({ length: 64 }),
  secret: () => text(),
  text: () => text(),
  json: () => jsonText(),
};

/** The column types of the MySQL vocabulary in the embedded database. */
export const libsqlVocabulary: Vocabulary = typedAsMysql({
  maybe,
  id: () => integer().primaryKey({ autoIncrement: true }),
  flag: () => maybe.flag().notNull(),
  instant: () => maybe.instant().notNull(),
  integer: () => maybe.integer().notNull(),
  reference: () => maybe.reference().notNull(),
  string: (length: number) => maybe.string(length).notNull(),
  key: (length: number) => maybe.key(length).notNull(),
  digest: () => maybe.digest().notNull(),
  secret: () => maybe.secret().notNull(),
  text: () => maybe.text().notNull(),
  json: () => maybe.json().notNull(),

  table: (
    name: string,
    columns: Record<string, SQLiteColumnBuilderBase>,
    indexes: readonly IndexRow[] = [],
  ) => {
    const table = sqliteTable(name, columns, (self) =>
      indexes.map((row) => {
        const [first, ...rest] = row.properties.map((property) => columnNamed(self, property));
        if (first === undefined) throw new Error(`an index of ${name} has no column`);
        if (row.primary) return primaryKey({ columns: [first, ...rest] });
        const on = row.unique ? uniqueIndex(indexName(name, row)) : index(indexName(name, row));
        return on.on(first, ...rest);
      }),
    );
    recordIndexRows(table, indexes);
    return table;
  },
});

function columnNamed<Column>(columns: Record<string, Column>, property: string): Column {
  const column = columns[property];
  if (column === undefined) throw new Error(`an index names ${property}, which is no column`);
  return column;
}

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
