// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@gatehouse/db/open-database';
import { beginImport } from '@gatehouse/db/queries/unfinished-import';
import { blockOf, createTestFolder, findFreePort, spawnService, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Starts the built service and waits until it exits. */
async function start(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...testEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child, 'close');
  return { code: child.exitCode, said: said.trimEnd() };
}

describe('a service that cannot start', () => {
  it('says which port is taken and what to do, in one line, and exits with 1', async () => {
    await using folder = await createTestFolder();
    await using other = await spawnService('api-main', { databaseUrl: `file:${folder.path}/one.db` });
    const port = new URL(other.url).port;
    expect(await start({ DATABASE_URL: `file:${folder.path}/two.db`, PORT: port })).toEqual({
      code: 1,
      said: `api-main cannot have port ${port} at 127.0.0.1: something listens there. Stop it, or set PORT.`,
    });
    const METRICS_PORT = port;
    expect(
      await start({
        DATABASE_URL: `file:${folder.path}/two.db`,
        PORT: String(await findFreePort()),
        METRICS_PORT,
      }),
    ).toMatchObject({ code: 1, said: expect.stringContaining('or set METRICS_PORT.') });
  });

  it('says what is wrong with a configured brand, as the guide to brands shows it, and exits with 1', async () => {
    await using folder = await createTestFolder();
    const PORTAL_BRAND = `${folder.path}/brand.json`;
    const accents = { light: '#777777', dark: '#f0a6d8' };
    await writeFile(PORTAL_BRAND, JSON.stringify({ name: 'Acme', accents }));
    expect(await start({ PORTAL_BRAND, DATABASE_URL: `file:${folder.path}/one.db` })).toEqual({
      code: 1,
      said: blockOf('docs/brand.md', 'has a contrast').trimEnd(),
    });
  });

  it('says which messages of a brand the portal does not have, and exits with 1', async () => {
    await using folder = await createTestFolder();
    const PORTAL_BRAND = `${folder.path}/brand.json`;
    const en = {
      'signIn.titel': 'Welcome',
      'home.title': 'Hello {nmae}',
      'home.someOpen': 'Some',
      'help.title': 'Help',
    };
    await writeFile(PORTAL_BRAND, JSON.stringify({ name: 'Acme', messages: { en } }));
    expect(await start({ PORTAL_BRAND, DATABASE_URL: `file:${folder.path}/one.db` })).toEqual({
      code: 1,
      said: [
        'The configuration has 3 problem(s):',
        '  - PORTAL_BRAND: messages.en.signIn.titel is no message of the portal',
        '  - PORTAL_BRAND: messages.en.home.title has no value {nmae}',
        '  - PORTAL_BRAND: messages.en.home.someOpen counts or chooses, and cannot be replaced',
      ].join('\n'),
    });
  });

  it('says in one line that a file is not a database or cannot be opened, and exits with 1', async () => {
    await using folder = await createTestFolder();
    const path = `${folder.path}/notes.txt`;
    await writeFile(
      path,
      'Not a database, but long enough to be taken for the beginning of one.\n'.repeat(20),
    );
    const PORT = String(await findFreePort());
    expect(await start({ DATABASE_URL: `file:${path}`, PORT })).toEqual({
      code: 1,
      said: `The database ${path} is no database of ours (SQLITE_NOTADB): correct DATABASE_URL, or restore a backup.`,
    });
    expect(await start({ DATABASE_URL: `file:${path}/g.db`, PORT })).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /^The database .*\/notes\.txt\/g\.db cannot be opened \(E\w+\): let this user .*$/,
      ),
    });
  });

  it('says that an import into its database was not finished, and exits with 1', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/half.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await beginImport(db);
    await db.close();
    expect(await start({ DATABASE_URL, PORT: String(await findFreePort()) })).toEqual({
      code: 1,
      said: 'An import into this database goes on, or was stopped: wait for its end, or import into a new database and name that one in DATABASE_URL.',
    });
  });

  it('reports a URL with an unencoded password without quoting it', async () => {
    const { code, said } = await start({ DATABASE_URL: 'mysql://ada:s3c#ret@db.acme.test/gatehouse' });
    expect(code).toBe(1);
    expect(said).toContain('  - DATABASE_URL: must be as mysql://user:password@host:3306/name');
    expect(said).not.toMatch(/s3c|ret@|ada:s/);
  });

  it('names a TLS parameter in DATABASE_URL that it would otherwise ignore', async () => {
    const url = 'mysql://ada:s3cret@db.acme.test/gatehouse?';
    for (const [query, problem] of [
      ['sslmode=require', 'sslmode is not known: write ssl-mode=REQUIRED, VERIFY_CA or VERIFY_IDENTITY'],
      ['ssl-mode=VERIFY_CA&ssl-ca=/no/such/file', 'ssl-ca names no file that can be read'],
    ] as const) {
      const { code, said } = await start({ DATABASE_URL: `${url}${query}` });
      expect([code, said]).toEqual([1, expect.stringContaining(`  - DATABASE_URL: ${problem}`)]);
      expect(said).not.toContain('s3cret');
    }
  });
});

describe('a service over a database without tables', () => {
  it('is alive but not ready, says so once, runs no job, and becomes ready without a restart once they exist', async () => {
    await using folder = await createTestFolder();
    const databaseUrl = `file:${folder.path}/new.db`;
    await using service = await spawnService('api-main', { databaseUrl });
    const eventsOf = () =>
      service
        .output()
        .split('\n')
        .flatMap((line) => /"event":"([^"]+)"/.exec(line)?.[1] ?? [])
        .filter((event) => event !== 'request');
    expect((await service.send('/readyz')).status).toBe(503);
    await expect.poll(eventsOf).toContain('not.ready');
    for (const path of ['/webauthenticate', '/forgotPassword']) {
      const body = { email: 'ada@example.org', password: 'Analytical-Engine-1843' };
      const answer = await service.send(path, { body });
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        503,
        expect.objectContaining({ error: { code: 'unavailable' } }),
      ]);
    }
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(eventsOf()).toEqual(['listening', 'not.ready']);
    expect(service.output()).toMatch(/"detail":"1 migration is pending: run gatehouse migrate\."/);

    const db = await openDatabase(databaseUrl);
    await db.migrate();
    await db.close();
    await expect.poll(async () => (await service.send('/readyz')).status).toBe(200);
    await expect.poll(eventsOf).toContain('ready');
    expect(await service.stop()).toBe(0);
    expect(service.output()).not.toMatch(/"failure"| {4}at |Warning/);
  });
});
