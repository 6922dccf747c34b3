import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataCipher } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { seedDemo } from '@gatehouse/features/deployment/seed-demo';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { startPrivateMariadb } from '@gatehouse/testkit';

export type BenchDatabase = 'libsql' | 'mariadb';

/** A migrated and seeded database, and the environment of a service over it. */
export interface BenchWorld extends AsyncDisposable {
  readonly env: Record<string, string>;
  readonly databaseUrl: string;
  /** An empty schema on the same MariaDB, for a peer; undefined on the embedded database. */
  readonly peerUrl: string | undefined;
  /** The process of the database server, if the bench started one. */
  readonly serverPid: number | undefined;
}

export interface WorldOptions {
  /** An empty database to use instead. */
  readonly url?: string | undefined;
  /** Options of the private MariaDB, such as `--max-connections=20`. */
  readonly serverSettings?: readonly string[];
}

/** Creates a world in a temporary folder; for MariaDB with a private server on a free port. */
export async function makeWorld(
  database: BenchDatabase,
  { url: existing, serverSettings = [] }: WorldOptions = {},
): Promise<BenchWorld> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const mariadb =
    database === 'mariadb' && existing === undefined
      ? await startPrivateMariadb({ settings: serverSettings })
      : undefined;
  const url =
    existing ?? (mariadb ? await mariadb.createSchema('bench') : `file:${join(directory, 'bench.db')}`);
  const dataKey = randomBytes(32).toString('base64');
  const db = await openDatabase(url);
  await db.migrate();
  await seedDemo(db, { cipher: createDataCipher({ key: dataKey }), nowMs: Date.now() });
  await db.close();
  return {
    env: {
      NODE_ENV: 'production',
      // Staff here have no passkey.
      STAFF_ROOT_LEVEL: '1',
      DATABASE_URL: url,
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      SESSION_SECRET: randomBytes(48).toString('base64url'),
      DATA_ENCRYPTION_KEY: dataKey,
      APP_URL: 'http://127.0.0.1:4000',
      BASE_URL: 'http://127.0.0.1:4000',
      MAIL_OUTBOX_ONLY: 'true',
      LOG_LEVEL: 'info',
    },
    databaseUrl: url,
    peerUrl: await mariadb?.createSchema('peer'),
    serverPid: mariadb?.pid,
    async [Symbol.asyncDispose]() {
      await mariadb?.[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A session token of a demonstration member; by default the owner of account 1. */
export async function signIn(origin: string, email = 'owner@acme.test'): Promise<string> {
  const response = await fetch(`${origin}/webauthenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMONSTRATION_PASSWORD }),
  });
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('token' in body) || typeof body.token !== 'string') {
    throw new Error(`The bench could not sign in: ${response.status}`);
  }
  return body.token;
}

/** A session cookie of a member who just registered with Better Auth. */
export async function signUpWithPeer(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: 'owner@acme.test', password: DEMONSTRATION_PASSWORD, name: 'Owner' }),
  });
  if (!response.ok) throw new Error(`Better Auth answers ${response.status} to a registration`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
