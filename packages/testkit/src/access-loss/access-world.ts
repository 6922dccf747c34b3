import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import type { ServicesOptions } from '@gatehouse/features/deployment/create-services';
import type { Service } from '@gatehouse/http/create-service';
import { seedTestDatabase } from '../seed-test-database.js';
import { type RunningService, startService } from '../start-service.js';
import { createTestDatabase, type TestDialect } from '../test-database.js';

/**
 * Called on the first node before a transaction begins, before its first write, or before the first read
 * outside a transaction, except reads of the change log.
 */
export interface Holdups {
  beforeTransaction: (() => Promise<void>) | undefined;
  beforeWrite: (() => Promise<void>) | undefined;
  beforeRead: (() => Promise<void>) | undefined;
}

/** Two nodes over one database. The first can be delayed. */
export interface AccessWorld extends AsyncDisposable {
  readonly service: RunningService;
  readonly other: RunningService;
  readonly db: Database;
  readonly holdups: Holdups;
}

export async function startAccessWorld(
  createApp: (services: RunningService['services']) => Service,
  options: {
    dialect: TestDialect;
    application: ServicesOptions['application'];
    env?: Readonly<Record<string, string>>;
  },
): Promise<AccessWorld> {
  const own = await createTestDatabase(options.dialect);
  const db = own.database;
  await seedTestDatabase(db);
  const holdups: Holdups = { beforeTransaction: undefined, beforeWrite: undefined, beforeRead: undefined };
  const reading = await openDatabase(own.url, {}, async (sql, run) => {
    if (!sql.includes('access_changes')) await happen(holdups, 'beforeRead');
    return run();
  });
  const database = heldUp({ ...db, select: reading.select, readRows: reading.readRows }, holdups);
  const service = await startService(createApp, { ...options, database });
  const other = await startService(createApp, { ...options, database: db });
  return {
    service,
    other,
    db,
    holdups,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await reading.close();
      await own[Symbol.asyncDispose]();
    },
  };
}

/** Each delay happens once. */
async function happen(holdups: Holdups, name: keyof Holdups): Promise<void> {
  const holdup = holdups[name];
  holdups[name] = undefined;
  await holdup?.();
}

function heldUp(db: Database, holdups: Holdups): Database {
  const held = (tx: Database): Database => ({
    ...tx,
    transaction: (body) => body(held(tx)),
    insert: async (...args) => happen(holdups, 'beforeWrite').then(() => tx.insert(...args)),
    insertOnce: async (...args) => happen(holdups, 'beforeWrite').then(() => tx.insertOnce(...args)),
    write: async (...args) => happen(holdups, 'beforeWrite').then(() => tx.write(...args)),
  });
  return {
    ...db,
    transaction: async (body) => {
      await happen(holdups, 'beforeTransaction');
      return db.transaction((tx) => body(held(tx)));
    },
  };
}
