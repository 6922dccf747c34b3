import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '@gatehouse/db/open-database';

/** A temporary folder that is deleted on disposal. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** The place for folders in memory. A process that may end a test run from outside names a place that it removes afterwards. */
const memory = (): string => process.env['GATEHOUSE_TEST_MEMORY'] ?? '/dev/shm';

/** Creates a folder, in memory if the system allows it, unless its content must survive on a real disk. */
export async function createTestFolder({ onDisk = false } = {}): Promise<TestFolder> {
  const parent = !onDisk && existsSync(memory()) ? memory() : tmpdir();
  const path = await mkdtemp(join(parent, 'gatehouse-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

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
