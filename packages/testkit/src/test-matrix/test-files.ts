/** Patterns of the test files that only some parts of the test matrix run, or only some machines can. */

/** What only one database can show is in files of its own; the tests on the other leave them out, and skip nothing. */
export const ON_LIBSQL_ALONE = '**/*.libsql{,.stress}.test.ts';
export const ON_MYSQL_ALONE = '**/*.mysql{,.stress}.test.ts';

/** Pages in a real browser: a part of its own, on the embedded database. */
export const IN_A_BROWSER = '**/*.browser.test.ts';

/** Counts shared by way of Redis: a part of its own, on the embedded database. */
export const WITH_REDIS = '**/*.redis{,.stress}.test.ts';

/** These stop their server, so it must be one of their own; a server of TEST_MYSQL_URL serves others too. */
export const STOPPING_THE_SERVER = '**/{outage,power-cut,restore}*.test.ts';

export const BEHIND_A_BALANCER = '**/rolling-restart.stress.test.ts';

/**
 * What operators do is tested on both databases at full size; the suite shows it on the one of production, where that
 * is installed, because it takes its time.
 */
export const OF_OPERATORS = '**/operations/*.stress.test.ts';

/** Stress tests that take long, and the program each asks for that the suite does not: run at full size alone. */
export const AT_FULL_SIZE_ALONE = [
  { files: '**/production-tree*.stress.test.ts', needs: 'bash' },
  { files: '**/soak.stress.test.ts', needs: 'proc' },
  { files: '**/slow-clients.stress.test.ts', needs: 'slowhttptest' },
  { files: '**/cluster.mysql.stress.test.ts', needs: 'galera' },
] as const;

/** Held against the services' own documents by a proxy; all tests of the services, in a stress run. */
export const THROUGH_PRISM = [
  'apps/api-main/src/rules.test.ts',
  'packages/features/src/registration/confirm.test.ts',
  'apps/api-admin/src/surface.test.ts',
];

/** These talk to a connection, a process or a database that no proxy may stand before. */
export const NOT_THROUGH_PRISM = [
  IN_A_BROWSER,
  WITH_REDIS,
  ON_MYSQL_ALONE,
  '**/*.stress.test.ts',
  'packages/features/src/login/login-limits.test.ts',
  'packages/features/src/billing/receive-webhook.test.ts',
  '**/raw-requests.test.ts',
];

/** What `pnpm test:quick` leaves out: tests that mostly wait, for time to pass or for programs to begin. */
export const NOT_QUICK = [
  '**/*.stress.test.ts',
  '**/access-loss.test.ts',
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
