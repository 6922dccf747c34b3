import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import { createRoomWatch } from './create-database.js';

describe('the facts that a server reports', () => {
  it('are its version and, for MySQL, its clock and our session settings', async () => {
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

it('a database counts as full until a write succeeds ten seconds after the last failure', () => {
  let nowMs = 0;
  const room = createRoomWatch(() => nowMs);
  room.wrote();
  expect(room.isFull()).toBe(false);
  room.refused();
  nowMs = 9_999;
  room.wrote();
  expect(room.isFull()).toBe(true);
  room.refused();
  nowMs = 12_000;
  room.wrote();
  expect(room.isFull()).toBe(true);
  nowMs = 19_999;
  room.wrote();
  expect(room.isFull()).toBe(false);
});
