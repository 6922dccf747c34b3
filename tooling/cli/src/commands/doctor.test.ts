import { randomBytes } from 'node:crypto';
import { dummyHash } from '@gatehouse/auth-core';
import type { ServerFacts } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { insertPasskey } from '@gatehouse/db/queries/member-passkeys';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import type { MysqlRights } from '@gatehouse/db/rights/mysql-rights';
import {
  createTestFolder,
  findFreePort,
  insertTestMember,
  seedTestDatabase,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  configurationFindings,
  mainUrlFindings,
  unknownVariables,
} from '../doctor/configuration-findings.js';
import { rightsFindings } from '../doctor/rights-findings.js';
import { callerFindings, serverFindings } from '../doctor/service-findings.js';
import { doctor } from './doctor.js';

const WELL = {
  JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
  SESSION_SECRET: randomBytes(48).toString('base64url'),
  DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  APP_URL: 'https://app.acme.test',
  BASE_URL: 'https://api.acme.test',
  TRUSTED_PROXIES: '10.0.0.0/8',
  SMTP_URL: '',
  MAIL_OUTBOX_ONLY: 'true',
};

async function examine(env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const code = await doctor.run({ args: [], env, say, draw: () => undefined });
  return { code, said: lines.join('\n'), ill: lines.filter((line) => line.startsWith('FIX ')) };
}

describe('the doctor', () => {
  it('finds nothing when all is well, and exits with 0', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/well.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await db.close();
    const { code, said, ill } = await examine({ ...WELL, DATABASE_URL });
    expect(ill).toEqual([]);
    expect(code).toBe(0);
    expect(said).toContain('ok   migrations: all applied');
    expect(said).toContain('ok   passwords: none in plain text');
    expect(said).toContain('ok   passwords: a comparison takes as long as a hash of ours');
    expect(said).toContain('ok   logins: 0 locked by 100 wrong passwords in a row');
    for (const secret of [WELL.JWT_SECRET_KEY, WELL.SESSION_SECRET, WELL.DATA_ENCRYPTION_KEY]) {
      expect(said).not.toContain(secret);
    }
  });

  it('finds missing migrations, then passwords in plain text, and exits with 1', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/ill.db`;
    const before = await examine({ ...WELL, DATABASE_URL });
    expect(before.code).toBe(1);
    expect(before.said).toMatch(/FIX {2}migrations: \d+ pending; run gatehouse migrate/);
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await seedTestDatabase(db);
    await db.close();
    const after = await examine({ ...WELL, DATABASE_URL });
    expect(after.ill).toEqual([
      'FIX  passwords: 1 in plain text; run gatehouse hash-passwords',
      'FIX  staff: 1 of 1 of base role 0 without a passkey; they can do nothing but add one, at /console/enrol of api-admin',
    ]);
    expect(after.code).toBe(1);
  });

  it('counts down the days until FACTORS_UNTIL, during which administrators work without a passkey', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/staff.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await seedTestDatabase(db);
    await db.close();
    for (const days of [30, 12, 1]) {
      const FACTORS_UNTIL = new Date(Date.now() + days * 86_400_000 - 1_000).toISOString();
      const { said } = await examine({ ...WELL, DATABASE_URL, FACTORS_UNTIL });
      expect(said).toContain(`1 of 1 of base role 0 without a passkey; ${days} day(s) are left`);
    }
    const { said } = await examine({ ...WELL, DATABASE_URL, STAFF_ROOT_LEVEL: '1' });
    expect(said).toContain('STAFF_ROOT_LEVEL asks for none');
  });

  it('counts members without a password, and says whether the previous system can be asked', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/without.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    for (const options of [{}, {}, { hasPassword: false }, { isPersonnel: true }])
      await insertTestMember(db, { withSession: false, ...options });
    await db.close();
    const legacy = (LEGACY_SIGN_IN_URL: string, days: number) => ({
      ...WELL,
      DATABASE_URL,
      LEGACY_SIGN_IN_URL,
      LEGACY_SIGN_IN_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      LEGACY_SIGN_IN_UNTIL: new Date(Date.now() + days * 86_400_000 - 1_000).toISOString(),
    });
    const asked = await examine(legacy('https://192.0.32.7/verify', 9));
    expect(asked.said).toContain('ok   passwords: 2 members were imported without one and have none yet');
    expect(asked.said).toContain('is asked about those without one for 9 more day(s)');
    expect(asked.ill).toEqual([]);
    expect((await examine(legacy('https://10.0.0.7/verify', 9))).ill).toEqual([
      expect.stringContaining('LEGACY_SIGN_IN_URL names no address that may be called'),
    ]);
    const inside = { ...legacy('https://10.0.0.7/verify', 9), EVENTS_PRIVATE_NETWORKS: '10.0.0.0/8' };
    expect((await examine(inside)).ill).toEqual([]);
    expect((await examine(legacy('https://192.0.32.7/verify', 0))).ill).toEqual([
      expect.stringContaining('LEGACY_SIGN_IN_UNTIL has passed'),
    ]);
  });

  it('treats an empty passkey domain as missing, and counts passkeys of another domain', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/passkeys.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await seedTestDatabase(db);
    const passkey = {
      memberId: 8,
      publicKey: '',
      counter: 0,
      userHandle: null,
      backupEligible: false,
      backedUp: false,
      transports: '',
      name: 'Phone',
      createdAtMs: 1,
      lastUsedAtMs: null,
    };
    const add = (rpId: string) =>
      changeAccess(db, { members: [8] }, (tx) =>
        insertPasskey(tx, { ...passkey, rpId, credentialKey: rpId, credentialId: rpId }),
      );
    await add('app.acme.test');
    const env = { ...WELL, DATABASE_URL, PASSKEY_RP_ID: '', MAIN_URL: '' };
    expect((await examine(env)).said).toContain('ok   passkeys: all are of the domain of this deployment');
    await add('other.test');
    await db.close();
    expect((await examine(env)).ill).toContainEqual(
      expect.stringMatching(/^FIX {2}passkeys: 1 were made for another domain than app\.acme\.test/),
    );
  });

  it('names the accounts whose primary owner is no longer a live owner there', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/ownerless.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    await seedTestDatabase(db);
    await changeAccess(db, { members: [8] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: 8, roleType: 11, role: 'Archived', nowMs: 1 }),
    );
    await changeAccess(db, { members: [9] }, (tx) =>
      removeMembership(tx, { memberId: 9, accountId: 3, nowMs: 1 }),
    );
    await db.close();
    const { ill } = await examine({ ...WELL, DATABASE_URL });
    expect(ill).toContain(
      'FIX  accounts: no live primary owner in 2 (Birch & Co), 3 (Cedar Labs); let staff of base role 0 transfer the ownership',
    );
  });

  it('finds hashes that no import has checked, and says how long a login takes with the others and who is locked', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/hashes.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    for (const [password, passwordRounds, passwordDelayMs] of [
      [dummyHash.replace('$10$', '$04$'), null, null],
      [dummyHash.replace('$10$', '$11$'), null, null],
      [dummyHash.replace('$10$', '$12$'), 4096, null],
      ['$foreign$phpass$$P$BNaClNaClm3hQnRzFqeUZHHnVzMdJ1/', null, null],
      ['$foreign$phpass$$P$BNaClNaClm3hQnRzFqeUZHHnVzMdJ1/', null, 83],
    ] as const) {
      const { id } = await insertTestMember(db, { withSession: false });
      await setPasswordHash(db, id, dummyHash, password, { passwordRounds, passwordDelayMs });
    }
    const lock = { origin: '', waitUntilMs: 0, failures: 100, lastFailureAtMs: 0 };
    await db.insertMany(db.tables.loginFailures, [
      { holder: 'member:1', ...lock },
      { holder: 'unknown:aa', ...lock },
    ]);
    await db.close();
    const { said, ill } = await examine({ ...WELL, DATABASE_URL });
    expect(ill).toEqual([
      expect.stringMatching(/^FIX {2}passwords: 3 hashes .* run gatehouse hash-passwords$/),
    ]);
    expect(said).toContain('imported hashes make every comparison take 4.00 times as long');
    expect(said).toContain('hashes of other systems make the refusal of a password wait 0.08 s');
    expect(said).toContain('logins: 1 locked by 100 wrong passwords in a row');
  });

  it('counts stored passwords that are not a known hash and were not declared plain', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/unknown.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    for (const password of [
      'Known-Before-1',
      '{SSHA}W3tCxAHbIVZ7Y0yRhJx8T2F1',
      dummyHash.replace('$10$', '$14$'),
    ]) {
      const { id } = await insertTestMember(db, { withSession: false });
      await setPasswordHash(db, id, dummyHash, password);
    }
    await db.close();
    expect((await examine({ ...WELL, DATABASE_URL })).ill).toEqual([
      'FIX  passwords: 3 are no hash that is known and were not declared plain, so nobody signs in with them; if they are passwords, run gatehouse hash-passwords --plain-passwords',
    ]);
  });

  it('finds a database and a Redis server that cannot be reached, without quoting their passwords', async () => {
    const port = await findFreePort();
    const { code, said } = await examine({
      ...WELL,
      DATABASE_URL: `mysql://root:db-secret-1@127.0.0.1:${port}/gatehouse`,
      REDIS_URL: `redis://:redis-secret-1@127.0.0.1:${port}`,
    });
    expect(code).toBe(1);
    expect(said).toContain(
      `FIX  database: The database at 127.0.0.1:${port} cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL.`,
    );
    expect(said).not.toContain('FIX  rights');
    expect(said).toMatch(/FIX {2}redis: cannot be asked \(\w+\); start it, or correct REDIS_URL/);
    expect(said).not.toMatch(/db-secret|redis-secret/);
  });
});

describe('the doctor, about variables,', () => {
  const ill = (env: Readonly<Record<string, string>>) => unknownVariables(env).map(({ text }) => text);

  it('reports those that look like ours and are not read, without their values', () => {
    expect(
      ill({ CORS_ORIGIN: 's3cret', JWT_SECRET: 's3cret', DATABASE_URI: 's3cret', SMTP_HOST: 's3cret' }),
    ).toEqual([
      'variables: CORS_ORIGIN is read by nobody; did you mean CORS_ORIGINS?',
      'variables: JWT_SECRET is read by nobody; did you mean JWT_SECRET_KEY?',
      'variables: DATABASE_URI is read by nobody; did you mean DATABASE_URL?',
      'variables: SMTP_HOST is read by nobody; docs/configuration.md lists every variable',
    ]);
  });

  it('reports none of ours, and none of a shell, of Node, of systemd and of a container', () => {
    expect(ill(WELL)).toEqual([]);
    const others = [
      'PATH',
      'HOSTNAME',
      'HOME',
      'MAIL',
      'LANG',
      'PWD',
      'SHLVL',
      'LOGNAME',
      'NODE_OPTIONS',
      'NODE_ENV',
    ];
    const more = [
      'MALLOC_ARENA_MAX',
      'MALLOC_TRIM_THRESHOLD_',
      'CREDENTIALS_DIRECTORY',
      'INVOCATION_ID',
      'MYSQL_PASSWORD',
      'INIT_CWD',
    ];
    const named = [...others, ...more, 'MIGRATION_DATABASE_URL', 'ADMIN_PORT', 'GITHUB_TOKEN'];
    expect(ill(Object.fromEntries(named.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('reports a MAIN_URL that is missing for api-admin, but not for api-main', () => {
    const text = (service: 'api-main' | 'api-admin', env = {}) => mainUrlFindings(env, service);
    expect(text('api-main')).toMatchObject([
      { isWell: true, text: expect.stringContaining('--service api-admin') },
    ]);
    expect(text('api-admin')).toMatchObject([
      { isWell: false, text: expect.stringContaining('MAIN_URL is missing') },
    ]);
    expect(text('api-admin', { MAIN_URL: 'https://api.acme.test' })).toEqual([]);
  });
});

describe('the doctor, about the mail server,', () => {
  it('reports that it does not answer, and where it is configured, without its password', async () => {
    await using folder = await createTestFolder();
    const port = await findFreePort();
    const { said } = await examine({
      ...WELL,
      DATABASE_URL: `file:${folder.path}/mail.db`,
      SMTP_URL: `smtp://ada:s3cret@127.0.0.1:${port}`,
    });
    expect(said).toMatch(
      new RegExp(`FIX {2}mail: the mail server at 127\\.0\\.0\\.1:${port} cannot be reached`),
    );
    expect(said).not.toContain('s3cret');
  });
});

describe('the doctor, about the configuration,', () => {
  const nowMs = Date.parse('2026-06-01T00:00:00Z');
  const ill = (env: Readonly<Record<string, string>>) =>
    configurationFindings({ ...WELL, ...env }, 'api-main', nowMs)
      .filter(({ isWell }) => !isWell)
      .map(({ text }) => text);

  it.each<[string, Record<string, string>, RegExp]>([
    ['a short secret', { JWT_SECRET_KEY: 'short' }, /JWT_SECRET_KEY: must have at least 32 bytes/],
    ['a placeholder', { SESSION_SECRET: 'change-me-'.repeat(4) }, /SESSION_SECRET: looks like a placeholder/],
    ['a secret used twice', { SESSION_SECRET: WELL.JWT_SECRET_KEY }, /are the same/],
    ['a previous key without a date', { JWT_SECRET_KEY_PREVIOUS: 'old' }, /PREVIOUS_UNTIL: is missing/],
    [
      'a previous key whose date has passed',
      { JWT_SECRET_KEY_PREVIOUS: 'old', JWT_SECRET_KEY_PREVIOUS_UNTIL: '2026-05-01' },
      /has passed; remove it/,
    ],
    [
      'a rotation that changed nothing',
      { JWT_SECRET_KEY_PREVIOUS: WELL.JWT_SECRET_KEY, JWT_SECRET_KEY_PREVIOUS_UNTIL: '2026-07-01' },
      /nothing was rotated/,
    ],
    [
      'a data key that replaces itself',
      { DATA_ENCRYPTION_KEY_PREVIOUS: WELL.DATA_ENCRYPTION_KEY },
      /is among DATA_ENCRYPTION_KEY_PREVIOUS/,
    ],
    ['a key of Stripe’s sandbox', { STRIPE_API_KEY: 'rk_test_1' }, /is of a sandbox/],
    ['a key of Paddle’s sandbox', { PADDLE_API_KEY: 'pdl_sdbx_apikey_1' }, /is of a sandbox/],
    ['tokens in the clear', { BASE_URL: 'http://api.acme.test' }, /BASE_URL begin\(s\) with http/],
    [
      'mail that reaches nobody',
      { MAIL_OUTBOX_ONLY: 'false' },
      /configuration: SMTP_URL: is missing, and so is RESEND_API_KEY: set one of them, or MAIL_OUTBOX_ONLY=true/,
    ],
    [
      'a published secret',
      { METRICS_TOKEN: 'acme-partner-demo-secret-0123456789' },
      /METRICS_TOKEN: is published with this software/,
    ],
    ['hashing that takes every thread', { PASSWORD_HASH_CONCURRENCY: '8' }, /set UV_THREADPOOL_SIZE to 10/],
    ['analyses cut short', { HANDLER_TIMEOUT_MS: '5000' }, /HANDLER_TIMEOUT_MS ends a request/],
    [
      'a proxy that nobody trusts',
      { TRUSTED_PROXIES: '' },
      /TRUSTED_PROXIES is empty: all callers have its address/,
    ],
    ['a silent log', { LOG_LEVEL: 'silent' }, /log: LOG_LEVEL=silent leaves out everything but security/],
    ['a proxy that is no address', { TRUSTED_PROXIES: 'balancer' }, /TRUSTED_PROXIES: must be addresses/],
    ['a Redis that is none', { REDIS_URL: 'http://127.0.0.1' }, /REDIS_URL: must begin with redis/],
  ])('reports %s', (_, env, expected) => {
    const found = ill(env);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it('reports nothing when all is well, except how long a previous key is still valid', () => {
    expect(ill({})).toEqual([]);
    expect(ill({ SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_OUTBOX_ONLY: '' })).toEqual([]);
    const texts = configurationFindings(
      { ...WELL, JWT_SECRET_KEY_PREVIOUS: 'old', JWT_SECRET_KEY_PREVIOUS_UNTIL: '2026-06-11' },
      'api-main',
      nowMs,
    ).map(({ text }) => text);
    expect(texts).toContain('secrets: the previous key counts for 10 more day(s)');
  });

  it('reports what a log level above info leaves out', () => {
    const logOf = (LOG_LEVEL: string) =>
      configurationFindings({ ...WELL, LOG_LEVEL }, 'api-main', nowMs).filter(({ text }) =>
        text.startsWith('log: '),
      );
    expect(logOf('info')).toEqual([
      expect.objectContaining({ text: expect.not.stringContaining('leaves out') }),
    ]);
    expect(logOf('warn')).toEqual([
      {
        isWell: true,
        text: 'log: LOG_LEVEL=warn leaves out the line of each request, and when a service starts and stops; security events are written all the same',
      },
    ]);
    expect(logOf('error')).toEqual([
      { isWell: true, text: expect.stringContaining('LOG_LEVEL=error leaves out the line of each request') },
    ]);
  });

  it('reports why only api-admin does not start: a passkey that administrators could never add there', () => {
    const found = (service: 'api-main' | 'api-admin', env = {}) =>
      configurationFindings(
        { ...WELL, BASE_URL: 'https://staff-api.acme.test', ...env },
        service,
        nowMs,
      ).flatMap(({ isWell, text }) => (isWell ? [] : [text]));
    expect(found('api-admin')).toEqual([
      expect.stringMatching(/^configuration: PASSKEY_RP_ID: must be a domain above/),
    ]);
    expect(found('api-main')).toEqual([]);
    expect(found('api-admin', { PASSKEY_RP_ID: 'acme.test' })).toEqual([]);
    expect(found('api-admin', { STAFF_ROOT_LEVEL: '2' })).toEqual([]);
  });
});

describe('the doctor, about callers,', () => {
  const found = (signIns: number, addressOf: (index: number) => string) =>
    callerFindings(
      Array.from({ length: signIns }, (_, at) => ({ memberId: at % 12, address: addressOf(at) })),
    );

  it('reports that all have the address of a proxy', () => {
    for (const address of ['10.0.0.5', '172.30.40.1', '127.0.0.1', '::1', 'fd00::5']) {
      expect(found(200, () => address)).toEqual([
        {
          isWell: false,
          text: expect.stringContaining(
            `the last 200 sign-ins, of 12 members, all have the address ${address}`,
          ),
        },
      ]);
    }
    expect(found(200, () => '203.0.113.7')).toEqual([
      { isWell: true, text: expect.stringContaining('if that is a proxy, name it in TRUSTED_PROXIES') },
    ]);
  });

  it('reports nothing when two have other addresses, or when too few have signed in', () => {
    expect(found(200, (at) => `10.0.0.${at === 0 ? 1 : 2}`)).toEqual([
      { isWell: true, text: 'callers: members sign in from addresses of their own' },
    ]);
    expect(found(9, () => '10.0.0.5')).toEqual([]);
  });

  it('reports what the sessions of the database show', async () => {
    await using folder = await createTestFolder();
    const DATABASE_URL = `file:${folder.path}/callers.db`;
    const db = await openDatabase(DATABASE_URL);
    await db.migrate();
    for (let count = 0; count < 10; count += 1) await insertTestMember(db);
    await db.transaction((tx) => tx.write(tx.update(db.tables.sessions).set({ address: '10.0.0.5' })));
    await db.close();
    const { ill } = await examine({ ...WELL, DATABASE_URL });
    expect(ill).toEqual([
      expect.stringMatching(/^FIX {2}callers: the last 10 sign-ins, of 10 members, all have/),
    ]);
  });
});

describe('the doctor, about the rights of the services,', () => {
  const ill = (rights: Partial<MysqlRights>) =>
    rightsFindings({ mayChangeSchema: false, mayChangeAudit: false, missing: [], ...rights })
      .filter(({ isWell }) => !isWell)
      .map(({ text }) => text.split(';', 1)[0] ?? '');

  it('reports those that are too many and too few', () => {
    expect(ill({})).toEqual([]);
    expect(ill({ mayChangeSchema: true })).toEqual([
      'rights: the user of DATABASE_URL may change or drop tables',
    ]);
    expect(ill({ mayChangeAudit: true })).toEqual([
      'rights: the user of DATABASE_URL may change or remove lines of the audit log',
    ]);
    const missing = ['SELECT on accounts', 'UPDATE on limits', 'DELETE on limits', 'INSERT on members'];
    expect(ill({ missing })).toEqual([
      'rights: the user of DATABASE_URL lacks SELECT on accounts, UPDATE on limits, DELETE on limits and 1 more',
    ]);
  });
});

describe('the doctor, about a database server,', () => {
  const asked = { askedMs: 1_000_000, answeredMs: 1_000_100 };
  const variables = {
    sql_mode: 'STRICT_TRANS_TABLES,NO_ZERO_DATE',
    transaction_isolation: 'READ-COMMITTED',
    character_set_database: 'utf8mb4',
    innodb_flush_log_at_trx_commit: '1',
    read_only: 'OFF',
  };
  const ill = (
    facts: Partial<ServerFacts>,
    changed: Partial<typeof variables> & { wsrep_on?: string } = {},
  ) =>
    serverFindings(
      {
        dialect: 'mysql',
        version: '10.11.6-MariaDB',
        nowMs: 1_000_050,
        variables: new Map(Object.entries({ ...variables, ...changed })),
        ...facts,
      },
      asked,
    )
      .filter(({ isWell }) => !isWell)
      .map(({ text }) => text.split(';', 1)[0] ?? '');

  it('reports nothing when all is well', () => {
    expect(ill({})).toEqual([]);
    expect(ill({ version: '8.0.36' })).toEqual([]);
    expect(ill({ version: '11.4.2-MariaDB' })).toEqual([]);
    expect(ill({}, { innodb_flush_log_at_trx_commit: '0', wsrep_on: 'ON' })).toEqual([]);
  });

  it.each<[string, string[], string]>([
    ['a version that is too old', ill({ version: '10.5.9-MariaDB' }), 'database: 10.5.9-MariaDB is too old'],
    ['MySQL that is too old', ill({ version: '5.7.44' }), 'database: 5.7.44 is too old'],
    ['a lax SQL mode', ill({}, { sql_mode: '' }), 'database: our sessions do not get the strict SQL mode'],
    [
      'another isolation',
      ill({}, { transaction_isolation: 'REPEATABLE-READ' }),
      'database: isolation is REPEATABLE-READ',
    ],
    [
      'a narrow character set',
      ill({}, { character_set_database: 'latin1' }),
      'database: its character set is not utf8mb4',
    ],
    [
      'commits that are not kept',
      ill({}, { innodb_flush_log_at_trx_commit: '2' }),
      'database: may lose what it has acknowledged in a power cut',
    ],
    ['a server that is read-only', ill({}, { read_only: 'ON' }), 'database: is read-only'],
    [
      'a clock that is wrong',
      ill({ nowMs: 1_010_100 }),
      'clock: ours and that of the database differ by 10 s',
    ],
  ])('reports %s', (_, found, expected) => {
    expect(found).toEqual([expected]);
  });
});
