/** Patterns of test files that only some parts of the test matrix, or some machines, can run. */

/**
 * Tests for only one database are in separate files. Runs on the other database exclude these files instead
 * of skipping tests.
 */
export const ON_LIBSQL_ALONE = '**/*.libsql{,.stress}.test.ts';
export const ON_MYSQL_ALONE = '**/*.mysql{,.stress}.test.ts';

/** Pages in a real browser: a separate part, on the embedded database; the portal's and the console's on both. */
export const IN_A_BROWSER = '**/*.browser{,.stress}.test.ts';

/** Counts shared through Redis: a separate part, on the embedded database. */
export const WITH_REDIS = '**/*.redis{,.stress}.test.ts';

/** These stop their server, so it must be private. Others may use a server of TEST_MYSQL_URL. */
export const STOPPING_THE_SERVER = '**/{outage,power-cut,restore}*.test.ts';

export const BEHIND_A_BALANCER = '**/rolling-restart.stress.test.ts';

/** The rules of the alerts and the queries of the dashboard, read by Prometheus' own tool. */
export const WITH_PROMTOOL = '**/promtool.test.ts';

/**
 * Tests of operators' tasks run on both databases at full size. Because they are slow, the suite runs them
 * only on production's database, if installed.
 */
export const OF_OPERATORS = '**/operations/*.stress.test.ts';

/** Long stress tests, each with the extra program it needs. They run at full size only. */
export const AT_FULL_SIZE_ALONE = [
  { files: '**/production-tree*.stress.test.ts', needs: 'bash' },
  { files: '**/soak.stress.test.ts', needs: 'proc' },
  { files: '**/slow-clients.stress.test.ts', needs: 'slowhttptest' },
  { files: '**/cluster.mysql.stress.test.ts', needs: 'galera' },
  { files: '**/alerts.mysql.stress.test.ts', needs: 'prometheus' },
] as const;

/**
 * All service tests run through a proxy that checks them against the services' documents, in a stress run.
 */
export const THROUGH_PRISM = [
  'apps/api-main/src/rules.test.ts',
  'packages/features/src/registration/confirm.test.ts',
  'apps/api-admin/src/surface.test.ts',
];

/** These use a connection, process or database that cannot run behind a proxy. */
export const NOT_THROUGH_PRISM = [
  IN_A_BROWSER,
  WITH_REDIS,
  ON_MYSQL_ALONE,
  '**/*.stress.test.ts',
  'packages/features/src/login/login-limits.test.ts',
  'packages/features/src/billing/receive-webhook.test.ts',
  '**/raw-requests.test.ts',
];

/** How soon pages are painted: one after the other, with the whole machine. */
export const OF_SPEED = '**/speed.browser.test.ts';

/**
 * What a page does by itself is the same over either database: how it looks, how fast it paints, what stands around it. So is what
 * it shows to whom: the tests of the service show on both what it answers.
 */
export const OF_LOOKS = [
  '**/look.browser.test.ts',
  OF_SPEED,
  '**/long-list.browser.stress.test.ts',
  '**/frame.browser.test.ts',
  '**/forms.browser.test.ts',
  '**/development.browser.test.ts',
  '**/walk.browser.test.ts',
  '**/stale.browser.test.ts',
];

/** Left out of `pnpm test:quick`: tests that mostly wait for time to pass or programs to start. */
export const NOT_QUICK = [
  '**/*.stress.test.ts',
  '**/admission.test.ts',
  '**/failing-starts.test.ts',
  '**/operations/*.test.ts',
  '**/failures-in-a-row.test.ts',
  '**/social/callback.test.ts',
  '**/login/login-limits.test.ts',
  'packages/auth-core/src/password/password.test.ts',
  'packages/client-sdk/src/packed-client.test.ts',
  'packages/client-sdk/src/retry.test.ts',
  'tooling/openapi/src/*.test.ts',
  'tooling/checks/src/rules/*.test.ts',
];
