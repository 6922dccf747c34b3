import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '@gatehouse/db/open-database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import { createTestDatabase, printMeasurements, rounds } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createAccessDirectory } from './access-directory.js';

const dialect = inject('dialect');

describe('nodes that space their reads of the change log', () => {
  it('see every change that was acknowledged before the call', async () => {
    await using own = await createTestDatabase(dialect);
    const total = rounds({ suite: 100, stress: 20_000 });
    // Nodes that begin with an empty log cache nothing until it has a row.
    await settleAccessChanges(own.database);
    let acknowledged = 0;
    let tooLate = 0;

    const nodes = await Promise.all(
      [1, 2, 3].map(async () => {
        const db = await openDatabase(own.url);
        const node = { db, seen: 0, directory: createAccessDirectory(db, { now: Date.now, onChange }) };
        function onChange({ memberId }: { memberId: number | null }): void {
          if (memberId !== null) node.seen = Math.max(node.seen, memberId);
        }
        await node.directory.current();
        node.directory.spaceReads(2);
        return node;
      }),
    );
    const call = async (node: (typeof nodes)[number]) => {
      const before = acknowledged;
      await node.directory.current();
      if (node.seen < before) tooLate += 1;
    };
    const clients = nodes.flatMap((node) =>
      Array.from({ length: 8 }, async () => {
        while (acknowledged < total) {
          await call(node);
          await pause(randomInt(0, 2));
        }
      }),
    );
    for (let memberId = 1; memberId <= total; memberId += 1) {
      await changeAccess(own.database, { members: [memberId] }, () => Promise.resolve());
      acknowledged = memberId;
      await Promise.all(nodes.map(call));
    }
    await Promise.all(clients);

    const sum = (of: 'checks' | 'changeReads') =>
      nodes.reduce((all, { directory }) => all + directory.statistics[of], 0);
    const report = { changes: total, calls: sum('checks'), reads: sum('changeReads'), tooLate };
    printMeasurements(`nodes with spaced reads know of every change (${dialect})`, report);
    expect(tooLate).toBe(0);
    expect(report.calls).toBeGreaterThan(2 * report.reads);
    for (const { db } of nodes) await db.close();
  });
});
