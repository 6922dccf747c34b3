import {
  EXPORT_VERSION,
  type ExportField,
  fieldsOf,
  fileOf,
  schemaOf,
} from '@gatehouse/cli/export/export-manifest';
import { NOT_EXPORTED, TABLE_PLANS } from '@gatehouse/cli/export/table-plans';

const PART = /(## The files\n)[\s\S]*$/;

const KINDS = { number: 'numbers', text: 'texts', flag: 'flags', json: 'JSON' } as const;

/** docs/exporting.md with the fields of all files as its last section. */
export function renderExportedTables(document: string): string {
  if (!PART.test(document)) throw new Error('There is no section "The files".');
  const rows = [...TABLE_PLANS.keys()].map(
    (table) => `| \`${fileOf(table)}\` | ${describe(fieldsOf(table))} |\n`,
  );
  const others = [...NOT_EXPORTED].map(([table, why]) => `| \`${table}\` | ${why} |\n`);
  return document.replace(
    PART,
    (_, heading: string) => `${heading}
Rendered by \`pnpm docs:render\`: version ${EXPORT_VERSION}, schema \`${schemaOf()}\`. [schema.md](schema.md) says how long texts
may be. \`?\` follows what may be null.

| File | Fields |
|---|---|
${rows.join('')}
These tables are not exported:

| Table | Its rows |
|---|---|
${others.join('')}`,
  );
}

function describe(fields: readonly ExportField[]): string {
  const named = (some: readonly ExportField[]) =>
    some.map(({ name, isNullable }) => `\`${name}\`${isNullable ? '?' : ''}`).join(', ');
  const parts = Object.entries(KINDS).map(
    ([kind, title]) => [title, fields.filter((field) => !field.isSecret && field.kind === kind)] as const,
  );
  return [...parts, ['**secrets**', fields.filter(({ isSecret }) => isSecret)] as const]
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => `${title}: ${named(some)}`)
    .join('; ');
}
