import { type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { countWholeRows, type WholeRow } from '@gatehouse/db/queries/read-whole-tables';
import { type AuditLine, openAuditRows } from '@gatehouse/features/audit/list-audit';
import { CommandError } from '../command-error.js';
import type { ExportCipher } from './export-cipher.js';
import type { ExportFolder } from './export-folder.js';
import {
  EXPORT_VERSION,
  type ExportManifest,
  fieldsOf,
  fileOf,
  manifestMac,
  schemaOf,
} from './export-manifest.js';
import { readTablePages } from './read-table-pages.js';
import { sealSecrets } from './seal-secrets.js';
import { TABLE_PLANS, type TableName } from './table-plans.js';

interface ExportInput {
  /** Reads one moment. */
  readonly db: Database;
  /** Of this deployment. */
  readonly cipher: DataCipher;
  /** Encrypts the secrets; without it they are left out. */
  readonly exported: ExportCipher | undefined;
  readonly folder: ExportFolder;
  readonly nowMs: number;
  /** Called once with the number of all rows; returns a function to call as rows are written. */
  readonly begin: (total: number) => (rows: number) => void;
}

interface WrittenExport {
  readonly manifest: ExportManifest;
  /** How many secrets of each table no key of the deployment can decrypt. */
  readonly unreadable: ReadonlyMap<TableName, number>;
}

/** Writes all tables and, last, the manifest. */
export async function writeExport(input: ExportInput): Promise<WrittenExport> {
  const { db, exported, folder, nowMs, begin } = input;
  const counts = new Map<TableName, number>();
  for (const table of TABLE_PLANS.keys()) counts.set(table, await countWholeRows(db, table));
  const advance = begin([...counts.values()].reduce((sum, rows) => sum + rows, 0));
  const unreadable = new Map<TableName, number>();
  const notes = {
    advance,
    unreadable: (table: TableName) => void unreadable.set(table, (unreadable.get(table) ?? 0) + 1),
  };
  const files: ExportManifest['files'] = {};
  for (const [table, rows] of counts) {
    const written = await folder.write(fileOf(table), linesOf({ ...input, ...notes }, table));
    files[fileOf(table)] = { rows, ...written };
  }
  const content: Omit<ExportManifest, 'mac'> = {
    format: 'gatehouse-export',
    version: EXPORT_VERSION,
    schema: schemaOf(),
    exportedAt: new Date(nowMs).toISOString(),
    sealedWith: exported?.check ?? null,
    files,
  };
  const mac = exported === undefined ? null : manifestMac(content, exported);
  const manifest: ExportManifest = { ...content, mac };
  await folder.finish(manifest);
  return { manifest, unreadable };
}

type LinesInput = ExportInput & {
  readonly advance: (rows: number) => void;
  readonly unreadable: (table: TableName) => void;
};

/** The lines of a table's file, a page at a time. */
async function* linesOf(input: LinesInput, table: TableName): AsyncGenerator<string> {
  const { db, cipher, exported, advance } = input;
  const fields = fieldsOf(table).filter(({ isSecret }) => exported !== undefined || !isSecret);
  let length = 0;
  for await (const page of readTablePages(db, table, () => length)) {
    const opened = table === 'auditLog' ? await openAuditPage(db, cipher, page) : page;
    const rows = exported === undefined ? opened : await sealSecrets({ ...input, exported }, table, opened);
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, row[name]]))),
    );
    const text = `${lines.join('\n')}\n`;
    length = text.length;
    yield text;
    advance(page.length);
  }
}

async function openAuditPage(
  db: Database,
  cipher: DataCipher,
  page: readonly WholeRow[],
): Promise<WholeRow[]> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page was selected from this table with all its columns
    return await openAuditRows({ db, cipher }, page as readonly (AuditLine & WholeRow)[]);
  } catch (cause) {
    if (!(cause instanceof SealedDataRefused)) throw cause;
    const advice =
      'DATA_ENCRYPTION_KEY, or one of DATA_ENCRYPTION_KEY_PREVIOUS, has to be that of the services';
    throw new CommandError(`The personal data in the audit log cannot be decrypted: ${advice}.`, { cause });
  }
}
