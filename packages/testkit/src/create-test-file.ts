import { rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '@gatehouse/db';
import { createTestFolder } from './create-test-folder.js';

let template: Promise<string> | undefined;

/** Makes a migrated file of the embedded database. */
export async function createTestFile(): Promise<AsyncDisposable & { readonly url: string }> {
  template ??= migrateTemplate();
  const folder = await createTestFolder();
  const path = join(folder.path, 'gatehouse.db');
  await copyFile(await template, path);
  return { url: pathToFileURL(path).href, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** One migrated file per process, copied for every test. */
async function migrateTemplate(): Promise<string> {
  const folder = await createTestFolder();
  process.once('exit', () => rmSync(folder.path, { recursive: true, force: true }));
  const path = join(folder.path, 'template.db');
  const database = await openDatabase(pathToFileURL(path).href);
  await database.migrate();
  await database.close();
  return path;
}
