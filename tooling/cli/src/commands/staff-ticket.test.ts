import { sha256Hex } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { findEnrolmentTicket } from '@gatehouse/db/queries/enrolment-tickets';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { createTestFolder, insertTestMember, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { staffTicket } from './staff-ticket.js';

describe('staff-ticket', () => {
  it('ends factors and sessions of a staff member, shows their ticket once, and notifies all of base role 0', async () => {
    await using folder = await createTestFolder();
    const url = `file:${folder.path}/cli.db`;
    const db = await openDatabase(url);
    await db.migrate();
    await seedTestDatabase(db);
    const staff = await insertTestMember(db, { isPersonnel: true, roleType: 6 });
    const member = await insertTestMember(db);
    const nowMs = Date.now();
    await db.transaction((tx) =>
      tx.insert(tx.tables.totpFactors, {
        memberId: staff.id,
        secret: 'sealed',
        confirmedAtMs: nowMs,
        createdAtMs: nowMs,
      }),
    );
    const before = await findAccessSnapshot(db, staff.id, nowMs);
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const code = await staffTicket.run({
        args,
        env: { DATABASE_URL: url, DATA_ENCRYPTION_KEY: testConfig().DATA_ENCRYPTION_KEY },
        say: (line) => void lines.push(line),
        draw: () => undefined,
      });
      return { code, said: lines.join('\n') };
    };
    const { code, said } = await run('--email', staff.email);
    expect(code).toBe(0);
    const ticket = /24 hours: (\S+)/.exec(said)?.[1] ?? '';
    const known = await findEnrolmentTicket(db, { ticketKey: sha256Hex(ticket), nowMs: Date.now() });
    expect(known).toEqual({ memberId: staff.id });
    const after = await findAccessSnapshot(db, staff.id, Date.now());
    expect([before?.hasTotp, after?.hasTotp]).toEqual([true, false]);
    expect(after?.sessionEpoch).toBe((before?.sessionEpoch ?? 0) + 1);

    const again = await run('--email', staff.email);
    expect(again.code).toBe(0);
    expect(
      await findEnrolmentTicket(db, { ticketKey: sha256Hex(ticket), nowMs: Date.now() }),
    ).toBeUndefined();
    const lines = await listAudit(db, { action: 'factor.ticket-printed' }, { limit: 5 });
    expect(lines.map(({ onBehalfOfId }) => onBehalfOfId)).toEqual([staff.id, staff.id]);
    expect(JSON.stringify(lines)).not.toContain(ticket);
    const mails = await db.select().from(db.tables.mailOutbox);
    expect(mails.filter((mail) => mail.kind === 'staffTicketIssued')).toHaveLength(2);
    expect((await run('--email', member.email)).code).toBe(1);
    expect((await run('--email', 'nobody@gatehouse.test')).code).toBe(1);
    await db.close();
  });
});
