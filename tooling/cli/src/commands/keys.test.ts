import { openDatabase } from '@gatehouse/db/open-database';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { createTestDatabase, testEnvironment } from '@gatehouse/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from './keys.js';

const HOUR_MS = 3_600_000;

/** The lines of the audit log, newest first. */
async function auditOf({ url }: { readonly url: string }, filter: { readonly action?: string }) {
  const db = await openDatabase(url);
  try {
    return await listAudit(db, filter, { limit: 9 });
  } finally {
    await db.close();
  }
}

describe('gatehouse keys', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function start() {
    const database = await createTestDatabase('libsql');
    const env = { ...testEnvironment(), DATABASE_URL: database.url, NODE_ENV: 'test' };
    const run = async (...args: string[]) => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const code = await keys.run({ args, env, say, draw: () => undefined });
      return { code, said: said.join('\n') };
    };
    const kidOf = ({ said }: { said: string }) => /^(\S+) is published/.exec(said)?.[1] ?? '';
    return { database, run, kidOf };
  }

  it('publishes a key for 24 hours before it signs, and for 25 hours after another one signs', async () => {
    const { database, run, kidOf } = await start();
    await using _database = database;
    expect((await run('list')).said).toContain('no keys yet');
    const first = kidOf(await run('add'));
    expect(await run('promote', first)).toMatchObject({ code: 1, said: expect.stringContaining('--now') });
    vi.setSystemTime(Date.now() + 24 * HOUR_MS);
    expect((await run('promote', first)).code).toBe(0);
    expect((await run('list')).said).toBe(`${first} ES256 signs`);

    const second = kidOf(await run('add'));
    expect((await run('promote', second, '--now')).said).toContain('refuse its tokens until they do');
    expect((await run('list')).said).toMatch(
      new RegExp(`^${first} ES256 stopped .*\n${second} ES256 signs$`),
    );
    expect((await run('retire', second)).code).toBe(1);
    expect((await run('retire', first)).said).toContain('25 hours');
    vi.setSystemTime(Date.now() + 25 * HOUR_MS);
    expect((await run('list')).said).toContain(`${first} ES256 retired`);
    expect((await run('promote', first)).code).toBe(1);
    // A refused command left no line.
    const lines = await auditOf(database, {});
    expect(lines.map(({ action, subjectId, actorId }) => [action, subjectId, actorId])).toEqual([
      ['signing-key.promoted', second, null],
      ['signing-key.added', second, null],
      ['signing-key.promoted', first, null],
      ['signing-key.added', first, null],
    ]);
  });

  it('ends the publication of a key at once on request, and of one that never signed', async () => {
    const { database, run, kidOf } = await start();
    await using _database = database;
    const [signing, leaked] = [kidOf(await run('add')), kidOf(await run('add', '--algorithm', 'RS256'))];
    await run('promote', signing, '--now');
    expect((await run('list')).said).toContain(`${leaked} RS256 published since`);
    expect((await run('retire', leaked)).code).toBe(0);
    const next = kidOf(await run('add'));
    await run('promote', next, '--now');
    expect((await run('retire', signing, '--now')).code).toBe(0);
    expect((await run('list')).said.match(/retired/g)).toHaveLength(2);
    const lines = await auditOf(database, { action: 'signing-key.retired' });
    expect(lines.map(({ subjectId }) => subjectId)).toEqual([signing, leaked]);
    expect((await run('add', '--algorithm', 'none')).code).toBe(2);
    expect((await run('promote', 'nobody')).code).toBe(1);
  });
});
