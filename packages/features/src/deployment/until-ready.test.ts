import { openDatabase } from '@gatehouse/db/open-database';
import { createTestDatabase, findFreePort } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { untilReady } from './until-ready.js';

function wait(db: Parameters<typeof untilReady>[0], url: string) {
  const details: string[] = [];
  const stop = new AbortController();
  const log = {
    warning: (event: string, fields: { detail: string }) => void details.push(`${event}: ${fields.detail}`),
  };
  const ready = untilReady(db, { log, url, signal: stop.signal, askEveryMs: 5 });
  return { details, ready, stop: () => stop.abort() };
}

describe('a service that is starting', () => {
  it('says once how many migrations are pending and what to run, and continues when they are applied', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    let pending = ['0001_one', '0002_two'];
    const { details, ready } = wait({ ...test.database, pendingMigrations: async () => pending }, test.url);
    await expect.poll(() => details.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    pending = await test.database.pendingMigrations();
    expect(await ready).toBe(true);
    expect(details).toEqual(['not.ready: 2 migrations are pending: run gatehouse migrate.']);
  });

  it('waits for a database that becomes unavailable after it told its migrations', async () => {
    const url = `mysql://gatehouse:s3cret@127.0.0.1:${await findFreePort()}/gatehouse`;
    await using test = await createTestDatabase(inject('dialect'));
    const dead = await openDatabase(url);
    let alive: Parameters<typeof untilReady>[0] = { ...dead, pendingMigrations: async () => [] };
    const { details, ready } = wait(
      {
        pendingMigrations: () => alive.pendingMigrations(),
        get select() {
          return alive.select;
        },
        get tables() {
          return alive.tables;
        },
      },
      url,
    );
    await expect.poll(() => details.length).toBe(1);
    expect(details[0]).toContain('cannot be reached (ECONNREFUSED)');
    alive = test.database;
    expect(await ready).toBe(true);
    await dead.close();
  });

  it('does not begin if it is stopped before the database has answered', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    let answer: (pending: string[]) => void = () => undefined;
    const pendingMigrations = () => new Promise<string[]>((resolve) => (answer = resolve));
    const { ready, stop } = wait({ ...test.database, pendingMigrations }, test.url);
    stop();
    answer([]);
    expect(await ready).toBe(false);
  });

  it('waits for an unavailable database, with one log line, until it is stopped', async () => {
    const port = await findFreePort();
    const url = `mysql://gatehouse:s3cret@127.0.0.1:${port}/gatehouse`;
    const db = await openDatabase(url);
    const { details, ready, stop } = wait(db, url);
    await expect.poll(() => details.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    stop();
    expect(await ready).toBe(false);
    await db.close();
    expect(details).toEqual([
      `not.ready: The database at 127.0.0.1:${port} cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL.`,
    ]);
  });
});
