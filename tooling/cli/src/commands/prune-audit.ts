import { removeAudit } from '@gatehouse/db/queries/audit-log';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { defineCommand } from '../define-command.js';
import { operatorAudit } from '../operator-audit.js';
import { withDatabase } from '../with-database.js';

const DAY_MS = 86_400_000;
const AT_ONCE = 1_000;

export const pruneAudit = defineCommand({
  name: 'prune-audit',
  summary: 'remove what is older than AUDIT_RETENTION_DAYS from the audit log; run it every day',
  run(context) {
    const { AUDIT_RETENTION_DAYS } = readConfig(
      { AUDIT_RETENTION_DAYS: configShape.AUDIT_RETENTION_DAYS },
      context.env,
    );
    const audit = operatorAudit(context);
    const nowMs = Date.now();
    const beforeMs = nowMs - AUDIT_RETENTION_DAYS * DAY_MS;
    return withDatabase(
      context,
      async (db) => {
        let removed = 0;
        for (;;) {
          const gone = await db.transaction(async (tx) => {
            const count = await removeAudit(tx, { beforeMs, limit: AT_ONCE });
            const after = { count, before: new Date(beforeMs).toISOString() };
            if (count > 0) await recordAudit(tx, audit, { atMs: nowMs, action: 'audit.pruned', after });
            return count;
          });
          if (gone === 0) break;
          removed += gone;
        }
        context.say(`${removed} lines of more than ${AUDIT_RETENTION_DAYS} days removed.`);
        return 0;
      },
      { as: 'migrating' },
    );
  },
});
