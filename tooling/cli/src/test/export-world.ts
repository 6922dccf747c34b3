import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataCipher, type DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { createTestDatabase, createTestFolder, type TestDialect, testEnvironment } from '@gatehouse/testkit';
import type { Command } from '../command.js';
import { exportData } from '../commands/export-data.js';
import { importRows } from '../commands/import-rows.js';
import { type ExportManifest, exportManifest } from '../export/export-manifest.js';

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** An operator who moves a database out, or in. */
export interface ExportWorld extends AsyncDisposable {
  readonly db: Database;
  readonly url: string;
  /** Of the deployment. */
  readonly cipher: DataCipher;
  /** The folder in which exports are. */
  readonly path: string;
  run(command: Command, ...args: string[]): Promise<Ended>;
  exportTo(folder: string, ...args: string[]): Promise<Ended>;
  importFrom(folder: string, ...args: string[]): Promise<Ended>;
}

/** @param env with another key, the deployment is a different one */
export async function startExportWorld(
  dialect: TestDialect,
  env: Readonly<Record<string, string>> = {},
): Promise<ExportWorld> {
  const folder = await createTestFolder();
  const own = await createTestDatabase(dialect);
  const variables: Record<string, string> = {
    ...testEnvironment(),
    DATABASE_URL: own.url,
    INIT_CWD: folder.path,
    ...env,
  };
  const run = async (command: Command, ...args: string[]): Promise<Ended> => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const code = await command.run({ args, env: variables, say, draw: () => undefined });
    return { code, said: said.join('\n') };
  };
  return {
    db: own.database,
    url: own.url,
    cipher: createDataCipher({ key: variables['DATA_ENCRYPTION_KEY'] ?? '' }),
    path: folder.path,
    run,
    exportTo: (to, ...args) => run(exportData, '--to', to, ...args),
    importFrom: (from, ...args) => run(importRows, '--from', 'gatehouse', from, ...args),
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function manifestIn(folder: string): Promise<ExportManifest> {
  return exportManifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
}
