import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { countWholeRows, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import { openAuditRows } from '@gatehouse/features/audit/list-audit';
import type { ExportFolder } from './export-folder.js';
import { EXPORT_VERSION, type ExportManifest, fieldsOf, fileOf, schemaOf } from './export-manifest.js';
import { readTablePages } from './read-table-pages.js';
import { TABLE_PLANS, type TableName } from './table-plans.js';

interface ExportInput {
  /** Reads one moment. */
  readonly db: Database;
  readonly cipher: DataCipher;
  readonly folder: ExportFolder;
  readonly nowMs: number;
  /** Called once with the number of all rows, and answers with what to call as rows are written. */
  readonly begin: (total: number) => (rows: number) => void;
}

/** Writes all tables and, last, the manifest. */
export async function writeExport(input: ExportInput): Promise<ExportManifest> {
  const { db, folder, nowMs, begin } = input;
  const counts = new Map<TableName, number>();
  for (const table of TABLE_PLANS.keys()) counts.set(table, await countWholeRows(db, db.tables[table]));
  const advance = begin([...counts.values()].reduce((sum, rows) => sum + rows, 0));
  const files: ExportManifest['files'] = {};
  for (const [table, rows] of counts) {
    const written = await folder.write(fileOf(table), linesOf(input, table, advance));
    files[fileOf(table)] = { rows, ...written };
  }
  const manifest: ExportManifest = {
    format: 'gatehouse-export',
    version: EXPORT_VERSION,
    schema: schemaOf(),
    exportedAt: new Date(nowMs).toISOString(),
    sealedWith: null,
    files,
  };
  await folder.finish(manifest);
  return manifest;
}

/** The lines of a table's file, a page at a time. */
async function* linesOf(
  { db, cipher }: ExportInput,
  table: TableName,
  advance: (rows: number) => void,
): AsyncGenerator<string> {
  const fields = fieldsOf(table).filter(({ isSecret }) => !isSecret);
  let length = 0;
  for await (const page of readTablePages(db, table, () => length)) {
    const rows = table === 'auditLog' ? await openAuditPage(db, cipher, page) : page;
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, row[name]]))),
    );
    const text = `${lines.join('\n')}\n`;
    length = text.length;
    yield text;
    advance(page.length);
  }
}

type AuditLine = Database['tables']['auditLog']['$inferSelect'];

function openAuditPage(db: Database, cipher: DataCipher, page: readonly WholeRow[]): Promise<WholeRow[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page was selected from this table with all its columns
  return openAuditRows({ db, cipher }, page as readonly (AuditLine & WholeRow)[]);
}
