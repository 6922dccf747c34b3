import type { Database } from '@gatehouse/db/database';
import { listServiceNodes } from '@gatehouse/db/queries/read-statistics';
import { listWholeRows } from '@gatehouse/db/queries/read-whole-tables';
import { settleImported } from '@gatehouse/db/queries/settle-restored';
import { endImport } from '@gatehouse/db/queries/unfinished-import';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import { NODE_GONE_MS } from '@gatehouse/features/staff/statistics-jobs';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { dataCipherIn, operatorAudit, operatorPath } from '../operator-audit.js';
import { createProgressBar } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';
import type { ExportCipher } from './export-cipher.js';
import { type ExportManifest, isAuthentic } from './export-manifest.js';
import { readManifest, verifyFiles } from './read-export.js';
import { readExportKey } from './read-export-key.js';
import { TABLE_PLANS } from './table-plans.js';
import { writeImportedTables } from './write-imported-tables.js';

interface ImportChoice {
  /** The folder of the export, as the operator named it. */
  readonly named: string;
  readonly keyFile: string | undefined;
  /** Whether the export is only checked. */
  readonly isDry: boolean;
}

/**
 * Imports the folder of an export into an empty database, after all of it was checked.
 * @returns the exit code
 */
export async function importExport(
  context: CommandContext,
  { named, keyFile, isDry }: ImportChoice,
): Promise<number> {
  const { draw, say } = context;
  const folder = operatorPath(context, named);
  const cipher = dataCipherIn(context.env);
  const manifest = await readManifest(folder);
  const exported = await cipherOf(context, manifest, keyFile);
  const bytes = sumOf(manifest, (file) => file.bytes);
  const checking = createProgressBar({ title: 'bytes checked', total: bytes, draw, say });
  await verifyFiles(folder, manifest, checking.advance);
  return withDatabase(
    context,
    async (db) => {
      await requireUnused(db);
      await requireEmpty(db);
      if (isDry) {
        say('The export is as it was written, and the database is empty. Nothing was written.');
        return 0;
      }
      const nowMs = Date.now();
      const rows = sumOf(manifest, (file) => file.rows);
      const { advance } = createProgressBar({ title: 'rows', total: rows, draw, say });
      await writeImportedTables({ db, cipher, exported, folder, manifest, nowMs, advance });
      await settleImported(db);
      await recordAudit(db, operatorAudit(context), {
        atMs: nowMs,
        action: 'database.imported',
        after: { exportedAt: manifest.exportedAt, withSecrets: exported !== undefined, rows },
      });
      await endImport(db);
      say(
        exported === undefined
          ? 'The export has no secrets: people set a new password by a forgotten one, and members who have only an authenticator app need a recovery.'
          : 'Everybody signs in again, as before.',
      );
      return 0;
    },
    { as: 'migrating', inHaste: false },
  );
}

function sumOf({ files }: ExportManifest, of: (file: ExportManifest['files'][string]) => number): number {
  return Object.values(files).reduce((sum, file) => sum + of(file), 0);
}

async function cipherOf(
  context: CommandContext,
  manifest: ExportManifest,
  keyFile: string | undefined,
): Promise<ExportCipher | undefined> {
  const { sealedWith } = manifest;
  if (sealedWith === null) {
    if (keyFile !== undefined) throw new CommandError('The export has no secrets: leave out --key-file.');
    return undefined;
  }
  if (keyFile === undefined)
    throw new CommandError('The export has secrets: name the file with its key in --key-file.');
  const cipher = await readExportKey(context, keyFile);
  if (cipher.check !== sealedWith)
    throw new CommandError(`The key in ${keyFile} is not the one of this export.`);
  if (!isAuthentic(manifest, cipher))
    throw new CommandError(
      'The manifest was changed after the export: its mac is not what the key makes of it. Nothing of this folder can be trusted.',
    );
  return cipher;
}

/** @throws {CommandError} if a service runs on the database: people would register in one that is not whole */
async function requireUnused(db: Database): Promise<void> {
  const [node] = await listServiceNodes(db, Date.now() - NODE_GONE_MS);
  if (node !== undefined)
    throw new CommandError(
      `A service runs on this database, or ran a minute ago (${node.name}): stop every service, wait a minute, and import into a new database.`,
    );
}

async function requireEmpty(db: Database): Promise<void> {
  for (const table of TABLE_PLANS.keys()) {
    const found = await listWholeRows(db, table, { after: undefined, limit: 1 });
    if (found.length > 0)
      throw new CommandError(
        `The database is not empty: ${table} has rows. Name a new one, and run gatehouse migrate; so too after an import that was stopped.`,
      );
  }
}
