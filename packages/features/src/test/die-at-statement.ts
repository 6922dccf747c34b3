import { Worker } from 'node:worker_threads';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { configShape, portVariable, readConfig } from '@gatehouse/features/core/config';
import { createServices } from '@gatehouse/features/deployment/create-services';
import { statisticsCounting } from '@gatehouse/features/staff/statistics-jobs';
import { createLogger } from '@gatehouse/runtime/log/log';

const mortal = Number(process.env['DIE_AT_STATEMENT']);
const application = process.env['DIE_AS'] === 'admin' ? 'admin' : 'web';
const diesBefore = process.env['DIE_WHEN'] === 'before';
let statement = 0;

/** Becomes 1 when the process has to be killed. */
const hourglass = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Another thread kills the process within 3 ms, because the embedded database blocks this one's timers. */
const KILLER = `
  const { randomInt } = require('node:crypto');
  const { workerData: hourglass } = require('node:worker_threads');
  Atomics.wait(hourglass, 0, 0);
  Atomics.wait(hourglass, 0, 1, randomInt(3000) / 1000);
  process.kill(process.pid, 'SIGKILL');
`;

/**
 * Counts a statement, and kills the process at the named one: before it is sent, or while the database runs
 * it.
 */
async function counted<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  statement += 1;
  if (statement === mortal && diesBefore) process.kill(process.pid, 'SIGKILL');
  if (statement === mortal) {
    Atomics.store(hourglass, 0, 1);
    Atomics.notify(hourglass, 0);
  }
  return run();
}

function mortalHandle(tx: Database): Database {
  return {
    ...tx,
    insert: (table, row) => counted(() => tx.insert(table, row)),
    insertMany: (table, rows) => counted(() => tx.insertMany(table, rows)),
    insertOnce: (table, row) => counted(() => tx.insertOnce(table, row)),
    write: (change) => counted(() => tx.write(change)),
    transaction: (body) => body(mortalHandle(tx)),
  };
}

/** The first counted statement of a transaction is its beginning, the last one its commit. */
function mortalDatabase(db: Database): Database {
  return {
    ...db,
    transaction: (body) =>
      db.transaction(async (tx) => {
        await counted(() => Promise.resolve());
        const result = await body(mortalHandle(tx));
        await counted(() => Promise.resolve());
        return result;
      }),
  };
}

async function main(): Promise<void> {
  new Worker(KILLER, { eval: true, workerData: hourglass }).unref();
  const config = readConfig({ ...configShape, PORT: portVariable.default(0) }, process.env);
  const db = mortalDatabase(await openDatabase(config.DATABASE_URL));
  const log = createLogger({ service: 'killed', level: 'silent' });
  const services = createServices({ config, db, log, application });
  if (process.env['DIE_DOING'] === 'counting') {
    process.stdout.write('counting\n');
    for (;;) await statisticsCounting.run(services);
  }
  const createApp = application === 'admin' ? createAdminApp : createMainApp;
  process.stdout.write(`${await createApp(services).listen({ host: '127.0.0.1', port: 0 })}\n`);
}

void main();
