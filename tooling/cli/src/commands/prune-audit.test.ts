import { openDatabase } from '@gatehouse/db/open-database';
import { insertAudit, listAudit } from '@gatehouse/db/queries/audit-log';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { doctor } from './doctor.js';
import { pruneAudit } from './prune-audit.js';

const DAY_MS = 86_400_000;

describe('prune-audit', () => {
  it('removes what is older than AUDIT_RETENTION_DAYS, in batches, and writes an entry that says so', async () => {
    await using folder = await createTestFolder();
    const env = { DATABASE_URL: `file:${folder.path}/cli.db`, AUDIT_RETENTION_DAYS: '30' };
    const db = await openDatabase(env.DATABASE_URL);
    await db.migrate();
    await db.insertMany(
      db.tables.auditLog,
      Array.from({ length: 2_100 }, (_, index) => ({
        atMs: Date.now() - 60 * DAY_MS + index,
        action: 'old',
      })),
    );
    await insertAudit(db, { atMs: Date.now() - 29 * DAY_MS, action: 'young' });

    const run = async (command: typeof pruneAudit) => {
      const lines: string[] = [];
      const code = await command.run({
        args: [],
        env,
        say: (line) => void lines.push(line),
        draw: () => undefined,
      });
      return { code, said: lines.join('\n') };
    };
    expect((await run(doctor)).said).toContain('FIX  audit log: is older than AUDIT_RETENTION_DAYS');
    expect(await run(pruneAudit)).toEqual({ code: 0, said: '2100 lines of more than 30 days removed.' });
    expect(await run(pruneAudit)).toEqual({ code: 0, said: '0 lines of more than 30 days removed.' });
    expect((await run(doctor)).said).toContain('ok   audit log: as long as it shall be');
    const left = await listAudit(db, {}, { limit: 50 });
    expect(left.map(({ action }) => action)).toEqual([
      'audit.pruned',
      'audit.pruned',
      'audit.pruned',
      'young',
    ]);
    expect(left[0]?.after).toMatchObject({ count: 100 });
    await db.close();
  });
});
