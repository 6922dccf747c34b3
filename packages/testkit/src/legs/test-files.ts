/** Patterns of the test files that only some legs run, or only some machines can. */

/** What only one database can show is in files of its own; the other leg leaves them out, and skips nothing. */
export const ON_LIBSQL_ALONE = '**/*.libsql{,.proof}.test.ts';
export const ON_MYSQL_ALONE = '**/*.mysql{,.proof}.test.ts';

/** Pages in a real browser: a leg of its own, on the embedded database. */
export const IN_A_BROWSER = '**/*.browser.test.ts';

/** Counts shared by way of Redis: a leg of its own, on the embedded database. */
export const WITH_REDIS = '**/*.redis{,.proof}.test.ts';

/** These stop their server, so it must be one of their own; a server of TEST_MYSQL_URL serves others too. */
export const STOPPING_THE_SERVER = '**/{outage,power-cut,restore}*.test.ts';

export const BEHIND_A_BALANCER = '**/rolling-restart.proof.test.ts';

/**
 * What operators do is proved on both databases at full size; the suite shows it on the one of production, where that
 * is installed, because it takes its time.
 */
export const OF_OPERATORS = '**/operations/*.proof.test.ts';

/** Proofs that take long, and the program each asks for that the suite does not: run at full size alone. */
export const AT_FULL_SIZE_ALONE = [
  { files: '**/production-tree*.proof.test.ts', needs: 'bash' },
  { files: '**/soak.proof.test.ts', needs: 'proc' },
  { files: '**/slow-clients.proof.test.ts', needs: 'slowhttptest' },
  { files: '**/cluster.mysql.proof.test.ts', needs: 'galera' },
] as const;

/** Held against the services' own documents by a proxy; all tests of the services, when proving. */
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
  '**/*.proof.test.ts',
  'packages/features/src/login/login-limits.test.ts',
  'packages/features/src/billing/receive-webhook.test.ts',
  '**/raw-requests.test.ts',
];
