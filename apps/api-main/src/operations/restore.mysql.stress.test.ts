import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openDatabase } from '@gatehouse/db';
import {
  createTestFolder,
  type PrivateMariadb,
  seedTestDatabase,
  signInByPassword,
  spawnService,
  startPrivateMariadb,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const access = ({ port }: PrivateMariadb) => [
  '--no-defaults',
  '--host=127.0.0.1',
  `--port=${port}`,
  '--user=root',
];

/** The command of docs/operations.md. */
async function backUp(server: PrivateMariadb, database: string, file: string): Promise<void> {
  const options = ['--single-transaction', '--quick', '--hex-blob', '--default-character-set=utf8mb4'];
  const dump = spawn('mariadb-dump', [...access(server), ...options, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code]] = await Promise.all([once(dump, 'exit'), pipeline(dump.stdout, createWriteStream(file))]);
  expect(code).toBe(0);
}

async function restore(server: PrivateMariadb, database: string, file: string): Promise<void> {
  const client = spawn('mariadb', [...access(server), '--default-character-set=utf8mb4', database], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [[code]] = await Promise.all([once(client, 'exit'), pipeline(createReadStream(file), client.stdin)]);
  expect(code).toBe(0);
}

describe('a backup', () => {
  it('is taken while the service runs, and restored on another server with all that was acknowledged before it', {
    timeout: 120_000,
  }, async () => {
    await using folder = await createTestFolder();
    await using server = await startPrivateMariadb();
    const databaseUrl = await server.createSchema('gatehouse');
    const db = await openDatabase(databaseUrl);
    await db.migrate();
    await seedTestDatabase(db);
    await db.close();
    await using service = await spawnService('api-main', { databaseUrl });
    const ended = await signInByPassword(service, 'owner@acme.test');
    const lasting = await signInByPassword(service, 'owner@cedar.test');
    expect((await service.send('/auth/logout', { method: 'POST', token: ended.token })).status).toBe(200);
    const person = { username: 'Zoë 🔑', password: 'Lantern-Harbor-43', email: 'zoe@many.test' };
    expect((await service.send('/register', { body: person })).status).toBe(200);

    const file = join(folder.path, 'gatehouse.sql');
    await backUp(server, 'gatehouse', file);
    const later = { ...person, username: 'later', email: 'later@many.test' };
    expect((await service.send('/register', { body: later })).status).toBe(200);

    await using other = await startPrivateMariadb();
    const restoredUrl = await other.createSchema('gatehouse');
    await restore(other, 'gatehouse', file);
    await using restored = await spawnService('api-main', { databaseUrl: restoredUrl });
    expect((await restored.send('/readyz')).status).toBe(200);
    expect((await restored.send('/auth/me', { token: ended.token })).status).toBe(401);
    expect((await restored.send('/auth/me', { token: lasting.token })).status).toBe(200);
    const back = await signInByPassword(restored, person.email, person.password);
    const me = await restored.send('/auth/me', { token: back.token });
    expect(await me.json()).toMatchObject({ member: { username: person.username } });
    const { email, password } = later;
    expect((await restored.send('/webauthenticate', { body: { email, password } })).status).toBe(401);
  });
});
