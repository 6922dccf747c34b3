import { defineCommand } from '../define-command.js';
import { KEEP_OPTIONS, keptBy, settleAfterRestore } from '../settle-after-restore.js';
import { withDatabase } from '../with-database.js';

export const afterRestore = defineCommand({
  name: 'after-restore',
  summary:
    'on MariaDB and MySQL, after a dump was read and before any service starts: end what may have been ended or used since',
  options: KEEP_OPTIONS,
  async run(context, { values }) {
    await withDatabase(context, (db) => settleAfterRestore(context, db, keptBy(values)), {
      as: 'migrating',
      inHaste: false,
    });
    return 0;
  },
});
