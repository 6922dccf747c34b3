import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';

describe('what a server says of itself', () => {
  it('is its version, and of MySQL its clock and how our sessions are set', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const before = Date.now();
    const facts = await own.database.serverFacts();
    expect(facts.version).toMatch(/^\d+\.\d+\.\d+/);
    if (facts.dialect === 'libsql') return expect(facts.variables.size).toBe(0);
    expect(Math.abs((facts.nowMs ?? 0) - before)).toBeLessThan(60_000);
    expect(facts.variables.get('sql_mode')).toContain('STRICT_TRANS_TABLES');
    expect([facts.variables.get('tx_isolation'), facts.variables.get('transaction_isolation')]).toContain(
      'READ-COMMITTED',
    );
  });
});
