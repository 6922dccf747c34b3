import type { Database } from '@gatehouse/db/database';
import { type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../app.js';

const dialect = inject('dialect');
const run = (db: Database, sql: string) => db.write({ toSQL: () => ({ sql, params: [] }) });

/** Fills the database, by SQLite's own limit or by a server that reports a full disk, until it is disposed. */
async function fill(db: Database): Promise<AsyncDisposable> {
  if (dialect === 'libsql') await run(db, 'pragma max_page_count = 1');
  else
    await run(
      db,
      "create trigger no_room before insert on limits for each row signal sqlstate 'HY000' set mysql_errno = 1021, message_text = 'Disk full'",
    );
  return {
    async [Symbol.asyncDispose]() {
      if (dialect === 'mysql') await run(db, 'drop trigger no_room');
    },
  };
}

const logIn = (service: RunningService) =>
  service.send('/webauthenticate', { body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' } });

describe('a service whose disk is full', () => {
  it('answers 503 to writes and 200 to reads, and reports it at /readyz and in the metrics', async () => {
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: { METRICS_TOKEN: 'a-token-of-the-figures' },
    });
    const figures = async () =>
      (
        await service.send('/metrics', { headers: { authorization: 'Bearer a-token-of-the-figures' } })
      ).text();
    const { token } = (await (await logIn(service)).json()) as { token: string };
    expect((await service.send('/readyz')).status).toBe(200);
    expect(await figures()).toContain('gatehouse_database_full 0');

    await using _full = await fill(service.database);
    // The embedded database accepts rows until its last page is full.
    await expect.poll(async () => (await logIn(service)).status, { timeout: 20_000 }).toBe(503);

    const refused = await logIn(service);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await service.send('/auth/me', { token })).status).toBe(200);
    const ready = await service.send('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { message: 'Not ready: the disk of the database is full' },
    ]);
    const text = await figures();
    expect(text).toContain('gatehouse_database_full 1');
    expect(text).toMatch(/gatehouse_database_unavailable_total\{reason="full"\} [1-9]/);
    expect(service.logLines.filter((line) => line.includes('"failure"'))).toEqual([]);
  });
});
