import { getTableColumns, getTableName } from 'drizzle-orm';
import type { MySqlTable } from 'drizzle-orm/mysql-core';
import { mysqlVocabulary } from '../src/dialect/mysql/mysql-vocabulary.js';
import { snakeCase, tableIndexRows } from '../src/dialect/table-indexes.js';
import { defineTables } from '../src/tables/define-tables.js';

/** Where the schema is written down for readers. */
export const SCHEMA_DOCUMENT = new URL('../../../docs/schema.md', import.meta.url);

const INTRODUCTION = `# The tables

Rendered from \`packages/db/src/tables\` by \`pnpm --filter @gatehouse/db generate\`; do not edit. Types are those of
MySQL; \`null\` means that a column may be null. Columns that end in \`_at_ms\` hold milliseconds since
1970-01-01T00:00:00Z. There are no foreign keys.
`;

/** The schema as Markdown: each table with its columns, and each index with the query it serves. */
export function renderSchema(): string {
  return [INTRODUCTION, ...Object.values(defineTables(mysqlVocabulary)).map(renderTable)].join('\n');
}

function renderTable(table: MySqlTable): string {
  const columns = Object.entries(getTableColumns(table)).map(([property, column]) => {
    const optional = column.notNull ? '' : ' null';
    const key = column.primary ? ' primary key' : '';
    return `${snakeCase(property)} ${column.getSQLType()}${optional}${key}`;
  });
  const indexes = tableIndexRows(table).map((row) => {
    const names = row.properties.map((property) => `\`${snakeCase(property)}\``).join(', ');
    return `- ${row.unique ? 'unique ' : ''}(${names}): ${row.serves}`;
  });
  return [
    `## ${getTableName(table)}\n`,
    '```text',
    ...columns,
    '```',
    ...(indexes.length > 0 ? ['', ...indexes] : []),
    '',
  ].join('\n');
}
