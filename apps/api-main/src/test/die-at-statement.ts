import { randomInt } from 'node:crypto';
import { createLogger, kitConfigShape, makeKit, portVariable, readConfig } from '@gatehouse/api-kit';
import { type Database, openDatabase } from '@gatehouse/db';
import { createApp } from '../app.js';

const mortal = Number(process.env['DIE_AT_STATEMENT']);
const diesBefore = process.env['DIE_WHEN'] === 'before';
const LONGEST_STATEMENT_MS = 3;
let statement = 0;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Counts a statement, and dies at the one that was named: before it is sent, or while the database has it. */
async function counted<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  statement += 1;
  if (statement === mortal && diesBefore) die();
  if (statement === mortal) setTimeout(die, randomInt(LONGEST_STATEMENT_MS));
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

/** Of a transaction the first statement counted is its beginning, the last one its commit. */
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
  const config = readConfig({ ...kitConfigShape, PORT: portVariable.default(0) }, process.env);
  const db = mortalDatabase(await openDatabase(config.DATABASE_URL));
  const log = createLogger({ service: 'killed', level: 'silent' });
  const kit = makeKit({ config, db, log, application: 'web' });
  process.stdout.write(`${await createApp(kit).listen({ host: '127.0.0.1', port: 0 })}\n`);
}

void main();
