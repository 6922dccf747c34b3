import {
  bigint,
  boolean,
  customType,
  index,
  int,
  type MySqlColumnBuilderBase,
  mysqlTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/mysql-core';
import { drizzle } from 'drizzle-orm/mysql-proxy';
import type { ReadRows, StatementBuilder } from '../statement-builder.js';
import { createNameSharing, refuseDirectWrite, withPlainErrors } from '../statement-builder.js';
import { storedString } from '../stored-text.js';
import { type IndexRow, indexName, recordIndexRows } from '../table-indexes.js';

const varchar = customType<{
  data: string;
  driverData: string;
  config: { length: number };
  configRequired: true;
}>({
  dataType: ({ length }) => `varchar(${length})`,
  toDriver: storedString,
});

const mediumtext = customType<{ data: string; driverData: string }>({
  dataType: () => 'mediumtext',
  toDriver: storedString,
});

const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'mediumtext',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (stored): unknown => JSON.parse(stored),
});

const maybe = {
  flag: () => boolean(),
  instant: () => bigint({ mode: 'number' }),
  integer: () => int(),
  reference: () => bigint({ mode: 'number' }),
  string: <Value extends string = string>(length: number) => varchar({ length }).$type<Value>(),
  key: (length: number) => varchar({ length }),
  digest: () => varchar({ length: 64 }),
  secret: () => mediumtext(),
  text: () => mediumtext(),
  json: <Value = unknown>() => jsonText().$type<Value>(),
};

/** Names of MySQL column types. Every name means the same in the embedded database. */
export const mysqlVocabulary = {
  /** The same types for columns that may be null. */
  maybe,
  /** An auto-increment id, never reused, even after its row is gone. */
  id: () => bigint({ mode: 'number' }).autoincrement().primaryKey(),
  /** Yes or no, stored as 1 or 0. */
  flag: () => maybe.flag().notNull(),
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  instant: () => maybe.instant().notNull(),
  /** A whole number within 32 bits. */
  integer: () => maybe.integer().notNull(),
  /** The id of a row in another table. */
  reference: () => maybe.reference().notNull(),
  /** Text of at most `length` characters, compared code point by code point. */
  string: <Value extends string = string>(length: number) => maybe.string<Value>(length).notNull(),
  /** Normalised text that only serves comparison and uniqueness. */
  key: (length: number) => maybe.key(length).notNull(),
  /** The hexadecimal SHA-256 of a secret that is not stored itself. */
  digest: () => maybe.digest().notNull(),
  /** Text that the caller has encrypted. */
  secret: () => maybe.secret().notNull(),
  /** Text of up to 16 MiB. */
  text: () => maybe.text().notNull(),
  /** A JSON value stored as text, so that both databases return it unchanged. */
  json: <Value = unknown>() => maybe.json<Value>().notNull(),

  table: <Name extends string, Columns extends Record<string, MySqlColumnBuilderBase>>(
    name: Name,
    columns: Columns,
    indexes: readonly IndexRow<NoInfer<keyof Columns & string>>[] = [],
  ) => {
    const table = mysqlTable(name, columns, (self) =>
      indexes.map((row) => {
        const [first, ...rest] = row.properties;
        if (row.primary)
          return primaryKey({ columns: [self[first], ...rest.map((property) => self[property])] });
        const on = row.unique ? uniqueIndex(indexName(name, row)) : index(indexName(name, row));
        return on.on(self[first], ...rest.map((property) => self[property]));
      }),
    );
    recordIndexRows(table, indexes);
    return table;
  },
};

/** The types are MySQL's: a value that production cannot store does not compile. */
export type Vocabulary = typeof mysqlVocabulary;

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
