import { writeFile } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-main/app';
import { createDataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  createTestDatabase,
  createTestFolder,
  type RunningService,
  seedTestDatabase,
  startService,
  type TestDialect,
  testConfig,
  testEnvironment,
} from '@gatehouse/testkit';
import { importRows } from '../commands/import-rows.js';

/** A partner's secretKey in the replaced system. */
export const OLD_SECRET = 'a secret that nordwind has so far, 0815';

/** An operator who imports partners, over the database of a running service. */
export interface PartnerImportWorld extends AsyncDisposable {
  readonly service: RunningService;
  readonly db: Database;
  /** Runs the command over these lines, and returns its output without the progress. */
  bring(...lines: (object | string)[]): Promise<{ code: number; said: string[] }>;
  /** The same, with --dry-run. */
  rehearse(...lines: (object | string)[]): Promise<{ code: number; said: string[] }>;
  /** The same, over a file of these bytes. */
  bringBytes(bytes: Buffer): Promise<{ code: number; said: string[] }>;
  /** The status of the sign-in of a partner's systems, and their token. */
  authenticate(partnerId: unknown, secretKey: string): Promise<{ status: number; token?: string }>;
}

/** The demonstration's partner, `acme-partner`, exists with the number 1. */
export async function startPartnerImportWorld(dialect: TestDialect): Promise<PartnerImportWorld> {
  const folder = await createTestFolder();
  const own = await createTestDatabase(dialect);
  const { database: db, url } = own;
  await seedTestDatabase(db, {
    cipher: createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY }),
    nowMs: Date.now(),
  });
  const service = await startService(createApp, { dialect, application: 'web', database: db });
  let files = 0;
  const runOver = async (content: string | Buffer, ...options: string[]) => {
    files += 1;
    const file = `partners-${files}.ndjson`;
    await writeFile(`${folder.path}/${file}`, content);
    const said: string[] = [];
    const code = await importRows.run({
      args: [...options, file],
      // An operator's shell may have empty variables.
      env: { ...testEnvironment(), DATABASE_URL: url, INIT_CWD: folder.path, STRIPE_API_KEY: '' },
      say: (line) => void said.push(line),
      draw: () => undefined,
    });
    return { code, said: said.filter((line) => !line.startsWith('lines ')) };
  };
  const textOf = (lines: readonly (object | string)[]) =>
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return {
    service,
    db,
    bring: (...lines) => runOver(textOf(lines)),
    rehearse: (...lines) => runOver(textOf(lines), '--dry-run'),
    bringBytes: (bytes) => runOver(bytes),
    async authenticate(partnerId, secretKey) {
      const body = { partnerId, secretKey };
      const response = await service.send('/partnerAuth/partnerAuthentication', { body });
      const { token } = (await response.json()) as { token?: string };
      return { status: response.status, ...(token === undefined ? {} : { token }) };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
