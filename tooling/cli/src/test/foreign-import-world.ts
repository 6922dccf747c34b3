import { writeFile } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  createTestDatabase,
  createTestFolder,
  type RunningService,
  startService,
  type TestDialect,
  testEnvironment,
} from '@gatehouse/testkit';
import { importRows } from '../commands/import-rows.js';

interface Brought {
  readonly code: number;
  readonly said: string;
  /** The counts of the last line: added, existing, with a problem, left out. */
  readonly counts: readonly number[];
}

/** An operator who imports what another system exports, over the database of a running service. */
export interface ForeignImportWorld extends AsyncDisposable {
  readonly service: RunningService;
  readonly db: Database;
  /** The address of the database. */
  readonly url: string;
  /** The folder of the files. */
  readonly path: string;
  /** Writes a file beside those that are imported. */
  write(name: string, content: string): Promise<void>;
  /** Writes files and runs `gatehouse import` over all of them. */
  bring(files: Readonly<Record<string, string | Buffer>>, ...options: string[]): Promise<Brought>;
}

export async function startForeignImportWorld(
  dialect: TestDialect,
  env: Readonly<Record<string, string>> = {},
): Promise<ForeignImportWorld> {
  const folder = await createTestFolder();
  const own = await createTestDatabase(dialect);
  await own.database.migrate();
  const simulator = await startProviderSimulator();
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    database: own.database,
    env: { ...providerEnvironment(simulator.url), ...env },
  });
  return {
    service,
    db: own.database,
    url: own.url,
    path: folder.path,
    write: (name, content) => writeFile(`${folder.path}/${name}`, content),
    async bring(files, ...options) {
      for (const [name, content] of Object.entries(files)) await writeFile(`${folder.path}/${name}`, content);
      const said: string[] = [];
      const code = await importRows.run({
        args: [...options, ...Object.keys(files)],
        env: {
          ...testEnvironment(),
          DATABASE_URL: own.url,
          INIT_CWD: folder.path,
          STRIPE_API_KEY: '',
          ...env,
        },
        say: (line) => void said.push(line),
        draw: () => undefined,
      });
      const total = said.find((line) => / lines with a problem, /.test(line)) ?? '';
      return { code, said: said.join('\n'), counts: [...total.matchAll(/\d+/g)].map(Number) };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
