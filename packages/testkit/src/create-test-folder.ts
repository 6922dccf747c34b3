import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that is deleted on disposal. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** Where folders are in memory. Who may have to end a test run from outside names a place that it removes afterwards. */
const memory = (): string => process.env['GATEHOUSE_TEST_MEMORY'] ?? '/dev/shm';

/** Creates a folder, in memory if the system allows it, unless its content must survive on a real disk. */
export async function createTestFolder({ onDisk = false } = {}): Promise<TestFolder> {
  const parent = !onDisk && existsSync(memory()) ? memory() : tmpdir();
  const path = await mkdtemp(join(parent, 'gatehouse-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
