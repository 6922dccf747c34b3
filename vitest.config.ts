import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import type { Reporter } from 'vitest/reporters';
import { beginCanaryRun, endCanaryRun } from './packages/testkit/src/canary-log.js';
import { findChromium } from './packages/testkit/src/find-chromium.js';
import { findGalera } from './packages/testkit/src/find-galera.js';
import { findHaproxy } from './packages/testkit/src/find-haproxy.js';
import { findMariadb } from './packages/testkit/src/find-mariadb.js';
import { findProgram } from './packages/testkit/src/find-program.js';
import { findRedis } from './packages/testkit/src/find-redis.js';

const WITHOUT_DATABASE = ['packages/auth-core', 'packages/client-sdk', 'packages/testkit', 'tooling/*'];
const ON_EACH_DATABASE = ['packages/db', 'packages/api-kit', 'apps/*'];

const installed = await findMariadb();
const server = process.env['TEST_MYSQL_URL'] === undefined ? installed?.version : 'of TEST_MYSQL_URL';
if (server === undefined && process.env['GATEHOUSE_REQUIRE_LEGS'] === '1') {
  throw new Error(
    'GATEHOUSE_REQUIRE_LEGS asks for the MariaDB leg: install mariadb-server or set TEST_MYSQL_URL',
  );
}

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser && process.env['GATEHOUSE_REQUIRE_LEGS'] === '1') {
  throw new Error('GATEHOUSE_REQUIRE_LEGS asks for the browser leg: install chromium');
}

const hasRedis = findRedis() !== undefined;
if (!hasRedis && process.env['GATEHOUSE_REQUIRE_LEGS'] === '1') {
  throw new Error('GATEHOUSE_REQUIRE_LEGS asks for the Redis leg: install redis-server');
}

/** Where `.ci/run` wants the results as JSON. */
const reportFile = process.env['GATEHOUSE_TEST_REPORT'];

const sources = { conditions: ['@gatehouse/source'] };

const isProving = process.env['GATEHOUSE_PROVE'] === '1';

/** A proof at full size takes as long as it takes. */
const testTimeout = isProving ? 3_600_000 : 30_000;

/** What only one database can show is in files of its own; the other leg leaves them out, and skips nothing. */
const only = (dialect: string) => `**/*.${dialect}{,.proof}.test.ts`;

/** Pages in a real browser: a leg of its own, on the embedded database. */
const IN_A_BROWSER = '**/*.browser.test.ts';

/** Counts shared by way of Redis: a leg of its own, on the embedded database. */
const WITH_REDIS = '**/*.redis{,.proof}.test.ts';

/** These stop their server, so it must be one of their own; a server of TEST_MYSQL_URL serves others too. */
const STOPPING_THE_SERVER = '**/{outage,power-cut,restore}*.test.ts';

const hasHaproxy = findHaproxy() !== undefined;
if (!hasHaproxy && process.env['GATEHOUSE_REQUIRE_LEGS'] === '1') {
  throw new Error('GATEHOUSE_REQUIRE_LEGS asks for proofs behind a balancer: install haproxy');
}

/** Proofs that take long, and ask for more programs than the suite does: run at full size alone. */
const AT_FULL_SIZE_ALONE = [
  { proofs: '**/production-tree*.proof.test.ts', needs: 'bash', isThere: findProgram('bash') !== undefined },
  { proofs: '**/soak.proof.test.ts', needs: 'proc', isThere: existsSync('/proc/self/fd') },
  {
    proofs: '**/slow-clients.proof.test.ts',
    needs: 'slowhttptest',
    isThere: findProgram('slowhttptest') !== undefined,
  },
  {
    proofs: '**/cluster.mysql.proof.test.ts',
    needs: 'galera',
    isThere: hasHaproxy && installed !== undefined && findGalera() !== undefined,
  },
];

const notHere = [
  ...(hasHaproxy ? [] : ['**/rolling-restart.proof.test.ts']),
  ...AT_FULL_SIZE_ALONE.filter(({ isThere }) => !isProving || !isThere).map(({ proofs }) => proofs),
];

/**
 * What operators do is proved on both databases at full size; the suite shows it on the one of production, where that
 * is installed, because it takes its time.
 */
const OF_OPERATORS = '**/operations/*.proof.test.ts';

function project(name: string, folders: string[], test: object): TestProjectConfiguration {
  return {
    resolve: sources,
    ssr: { resolve: sources },
    test: {
      name,
      include: folders.map((folder) => `${folder}/src/**/*.test.ts`),
      // Modules hold no state, so files may share them; loading them anew for each file took half of the time.
      isolate: false,
      testTimeout,
      hookTimeout: 60_000,
      // A machine that stalls fails a test once, and the report says so; what is wrong fails twice. Proofs that
      // count violations allow themselves no second try.
      retry: 1,
      ...test,
    },
  };
}

const mariadbLeg = project('mariadb', ON_EACH_DATABASE, {
  provide: { dialect: 'mysql' },
  exclude: [
    ...configDefaults.exclude,
    IN_A_BROWSER,
    WITH_REDIS,
    only('libsql'),
    ...notHere,
    ...(installed === undefined ? [STOPPING_THE_SERVER] : []),
  ],
  globalSetup: ['packages/testkit/src/mariadb-global-setup.ts'],
});

const browserLeg = project('browser', ON_EACH_DATABASE, {
  include: [...ON_EACH_DATABASE, ...WITHOUT_DATABASE].map((folder) => `${folder}/src/${IN_A_BROWSER}`),
  provide: { dialect: 'libsql' },
  testTimeout: 120_000,
});

const redisLeg = project('redis', ON_EACH_DATABASE, {
  include: ON_EACH_DATABASE.map((folder) => `${folder}/src/${WITH_REDIS}`),
  provide: { dialect: 'libsql' },
});

/** Held against the services' own documents by a proxy; all tests of the services, when proving. */
const THROUGH_PRISM = [
  'apps/api-main/src/rules.test.ts',
  'apps/api-main/src/registration/confirm.test.ts',
  'apps/api-admin/src/surface.test.ts',
];

/** These talk to a connection, a process or a database that no proxy may stand before. */
const NOT_THROUGH_PRISM = [
  ...configDefaults.exclude,
  IN_A_BROWSER,
  WITH_REDIS,
  only('mysql'),
  '**/*.proof.test.ts',
  'apps/api-main/src/login/login-limits.test.ts',
  'apps/api-main/src/billing/receive-webhook.test.ts',
];

const prismLeg = project('prism', [], {
  include: process.env['GATEHOUSE_PROVE'] === '1' ? ['apps/*/src/**/*.test.ts'] : THROUGH_PRISM,
  exclude: NOT_THROUGH_PRISM,
  provide: { dialect: 'libsql' },
  setupFiles: ['tooling/openapi/src/test/put-prism-in-front.ts'],
});

const sayLegs: Reporter = {
  onTestRunEnd(modules) {
    const ran = new Set(modules.map((module) => module.project.name));
    const legs = [
      ran.has('libsql') ? 'libsql' : undefined,
      ran.has('mariadb') ? `mariadb (${server})` : undefined,
      ran.has('redis') ? 'redis' : undefined,
      ran.has('browser') ? 'chromium' : undefined,
      server !== undefined && installed === undefined ? 'no outages: mariadbd was not found' : undefined,
      hasBrowser ? undefined : 'no browser: chromium was not found',
      hasRedis ? undefined : 'no redis: redis-server was not found',
      hasHaproxy ? undefined : 'no rolling restart: haproxy was not found',
      ...AT_FULL_SIZE_ALONE.filter(() => isProving).map(({ needs, isThere }) =>
        isThere ? needs : `no ${needs}: it was not found`,
      ),
      server === undefined ? 'no mariadb: neither mariadbd nor TEST_MYSQL_URL was found' : undefined,
    ];
    process.stdout.write(`legs: ${legs.filter((leg) => leg !== undefined).join(', ') || 'none'}\n`);
  },
};

/** A secret of any test in the log of any service fails the run, whatever the tests themselves looked at. */
const findSecretsInLogs: Reporter = {
  onInit: beginCanaryRun,
  onTestRunEnd() {
    const { secrets, bytes, leaked } = endCanaryRun();
    process.stdout.write(
      `secrets: ${secrets} planted, ${leaked.length} found in ${(bytes / 1e6).toFixed(1)} MB of logs\n`,
    );
    if (leaked.length === 0) return;
    process.stdout.write(`in a log: ${leaked.join(' ')}\n`);
    process.exitCode = 1;
  },
};

export default defineConfig({
  test: {
    // Half of the time a file waits for a database, a process or a page: on two cores two files fit side by side.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters:
      reportFile === undefined
        ? ['default', findSecretsInLogs, sayLegs]
        : ['default', findSecretsInLogs, sayLegs, ['json', { outputFile: reportFile }]],
    projects: [
      project('unit', WITHOUT_DATABASE, { exclude: [...configDefaults.exclude, IN_A_BROWSER] }),
      project('libsql', ON_EACH_DATABASE, {
        provide: { dialect: 'libsql' },
        exclude: [
          ...configDefaults.exclude,
          IN_A_BROWSER,
          WITH_REDIS,
          only('mysql'),
          ...notHere,
          ...(isProving || server === undefined ? [] : [OF_OPERATORS]),
        ],
      }),
      prismLeg,
      ...(server === undefined ? [] : [mariadbLeg]),
      ...(hasRedis ? [redisLeg] : []),
      ...(hasBrowser ? [browserLeg] : []),
    ],
  },
});
