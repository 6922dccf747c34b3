import { createDataCipher, type DataCipher, hashPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { testConfig } from './test-config.js';
import { createTestDatabase, type TestDialect } from './test-database.js';

/** The rows of the demonstration data, as inserts. */
interface SeededRows {
  /** The time that was given to the seed. */
  readonly seededForMs: number;
  /** When it was run: some times are those of the machine. */
  readonly seededAtMs: number;
  readonly inserts: readonly { readonly sql: string; readonly values: readonly unknown[] }[];
  /** The stored form of each text that was encrypted. */
  readonly sealed: ReadonlyMap<unknown, Parameters<DataCipher['seal']>>;
}

const DAY_MS = 86_400_000;

/** Each made once per process. */
const seeded = new Map<TestDialect, Promise<SeededRows>>();

/**
 * Writes the demonstration data with the keys all test services share. The rows are copied from a database into which `seedDemo` wrote
 * them once: to build its statements took a tenth of the time of a test.
 */
export async function seedTestDatabase(
  database: Database,
  {
    cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY }),
    nowMs = Date.now(),
  }: { cipher?: DataCipher; nowMs?: number } = {},
): Promise<void> {
  const { dialect } = database;
  const rows = seeded.get(dialect) ?? readSeededRows(dialect);
  seeded.set(dialect, rows);
  const { seededForMs, seededAtMs, inserts, sealed } = await rows;
  const atMs = Date.now();
  const moved = (value: unknown): unknown => {
    const text = sealed.get(value);
    if (text !== undefined) return cipher.seal(...text);
    if (typeof value !== 'number') return value;
    if (Math.abs(value - seededAtMs) < DAY_MS) return value - seededAtMs + atMs;
    return Math.abs(value - seededForMs) < 100 * DAY_MS ? value - seededForMs + nowMs : value;
  };
  await database.transaction(async (tx) => {
    for (const { sql, values } of inserts)
      await tx.write({ toSQL: () => ({ sql, params: values.map(moved) }) });
  });
}

async function readSeededRows(dialect: TestDialect): Promise<SeededRows> {
  await using own = await createTestDatabase(dialect);
  const cipher = createDataCipher({ key: testConfig().DATA_ENCRYPTION_KEY });
  const sealed = new Map<unknown, Parameters<DataCipher['seal']>>();
  const seal: DataCipher['seal'] = (...text) => {
    const stored = cipher.seal(...text);
    sealed.set(stored, text);
    return stored;
  };
  const seededAtMs = Date.now();
  const seededForMs = seededAtMs - 1_000 * DAY_MS;
  await seedDemo(own.database, {
    cipher: { ...cipher, seal },
    nowMs: seededForMs,
    passwordHash: await hashPassword(DEMONSTRATION_PASSWORD),
  });
  const inserts: { sql: string; values: unknown[] }[] = [];
  for (const table of Object.values(own.database.tables)) {
    const select = own.database.select().from(table).toSQL();
    const rows = await own.database.readRows(select.sql, select.params);
    if (rows.length === 0) continue;
    const [, columns, name] = /^select (.+) from (.+)$/.exec(select.sql) ?? [];
    if (columns === undefined || name === undefined) throw new Error(`not a plain select: ${select.sql}`);
    const row = `(${rows[0]?.map(() => '?').join(', ')})`;
    const sql = `insert into ${name} (${columns}) values ${rows.map(() => row).join(', ')}`;
    inserts.push({ sql, values: rows.flat() });
  }
  return { seededForMs, seededAtMs, inserts, sealed };
}
