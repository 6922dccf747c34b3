import type { SQLiteColumnBuilderBase } from 'drizzle-orm/sqlite-core';
import { customType, index, integer, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { type IndexRow, indexName } from '../index-row.js';
import type { Vocabulary } from '../mysql/vocabulary.js';
import { storedString } from '../stored-string.js';
import { recordIndexRows } from '../table-index-rows.js';
import { typedAsMysql } from './typed-as-mysql.js';

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
