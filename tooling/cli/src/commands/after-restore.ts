import { setTimeout as pause } from 'node:timers/promises';
import { type AuditFilter, type Database, listAudit } from '@gatehouse/db';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { KEEP_OPTIONS, keptBy, settleAfterRestore } from '../settle-after-restore.js';
import { withDatabase } from '../with-database.js';

/** A server that copies another may be a moment behind. */
const LONGEST_LAG_MS = 2_000;
const PAUSE_MS = 100;

export const afterRestore = defineCommand({
  name: 'after-restore',
  summary:
    'on MariaDB and MySQL, after a dump was read and before any service starts: end what may have been ended or used since',
  options: KEEP_OPTIONS,
  async run(context, { values }) {
    const settled = await withDatabase(context, (db) => settleAfterRestore(context, db, keptBy(values)), {
      as: 'migrating',
      inHaste: false,
    });
    await withDatabase(context, (db) => requireSettled(db, settled), { tables: 'any' });
    return 0;
  },
});

/**
 * The services have to find what was settled: their URL may lead to a database of the same name on another server.
 * @throws {CommandError} if they do not
 */
async function requireSettled(db: Database, settled: AuditFilter): Promise<void> {
  const untilMs = performance.now() + LONGEST_LAG_MS;
  while ((await listAudit(db, settled, { limit: 1 })).length === 0) {
    if (performance.now() > untilMs)
      throw new CommandError(
        'The services would not find what has just ended: MIGRATION_DATABASE_URL and DATABASE_URL lead to different servers. ' +
          'Correct the one that is wrong, start no service, and run gatehouse migrate and gatehouse after-restore again.',
      );
    await pause(PAUSE_MS);
  }
}
