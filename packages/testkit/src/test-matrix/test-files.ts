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

/** These stop their server or change its settings, so it must be private. Others may use a server of TEST_MYSQL_URL. */
export const STOPPING_THE_SERVER = '**/{outage,power-cut,restore,tls}*.test.ts';

export const BEHIND_A_BALANCER = '**/rolling-restart.stress.test.ts';

/** Behind haproxy, nginx and Caddy, each from its shipped file. */
export const BEHIND_PROXIES = '**/behind-proxies*.test.ts';

/** Runs a script of bash over what `pnpm build` made. */
export const WITH_BASH = '**/production-tree*.test.ts';

/** The rules of the alerts and the queries of the dashboard, read by Prometheus' own tool. */
export const WITH_PROMTOOL = '**/promtool.test.ts';

/** Runs a sample of the documents in Python, with PyJWT. */
export const WITH_PYTHON = '**/*.python.test.ts';

/**
 * These ask no database anything, or only files that they make themselves: to run them for the other database too would show
 * nothing else. Cheap ones are not named.
 */
export const WITHOUT_A_DATABASE = [
  '**/failing-starts.test.ts',
  '**/web-authn.test.ts',
  '**/{smtp,resend}-driver.test.ts',
  '**/run-program.test.ts',
];

/**
 * Stress tests that start services as processes, again and again, or hash for as long as it takes: a quarter of what the suite needed
 * on the embedded database. They run on both databases at full size, and in the suite on production's, if installed. What dies with the
 * embedded database itself is shown in the suite too, by `power-cut`, `outage.libsql`, `backup.libsql` and `migrations`.
 */
export const ON_PRODUCTIONS_ALONE = [
  '**/operations/*.stress.test.ts',
  '**/*kills.stress.test.ts',
  '**/mail-after-kill.stress.test.ts',
  '**/register-user.stress.test.ts',
  '**/webhooks.stress.test.ts',
  '**/many-revocations.stress.test.ts',
  '**/login-storm.stress.test.ts',
];

/** Long stress tests, each with the extra program it needs. They run at full size only. */
export const AT_FULL_SIZE_ALONE = [
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

/**
 * Names of files that `pnpm test` leaves to `pnpm test:rest`, so that it ends in minutes: a few rounds of long races and kills, lost
 * packets, full migrations.
 */
export const LONG = [
  '*kills.stress',
  'access-loss.stress',
  'backup.libsql.stress',
  'behind-proxies.libsql',
  'counting.stress',
  'finished-requests.stress',
  'guides-in-sequence',
  'login-storm.stress',
  'lost-packets.mysql.stress',
  'mail-after-kill.stress',
  'many-revocations.stress',
  'migrations.stress',
  'one-use.stress',
  'outage.mysql.stress',
  'production-tree.libsql',
  'races.stress',
  'register-user.stress',
  'restore.mysql.stress',
  'rolling-restart.stress',
  'same-answer.stress',
  'slow-stop.stress',
  'webhooks.stress',
];

/** What users of packages and documents meet, shown by compilers, builds and other tools. */
export const LONG_PROGRAMS = [
  'code-samples',
  'commonjs-client',
  'generated-client',
  'judge',
  'lint',
  'packed-client',
  'packed-client.stress',
  'parts-of-the-suite',
];

/** The whole reference, and builds of the client and of examples. */
export const LONG_PAGES = ['docs.browser', 'example-*.browser', 'packed-client.browser'];

/**
 * The screens that people need most: to sign in, to run a team, and to help members and accounts. `pnpm test` runs these on the embedded
 * database, and `pnpm test:rest` runs these and `JOBS` on MariaDB, and all others on the embedded database. A stress run uses MariaDB for all but
 * those of looks: a page knows what the service answers, which the tests of the service show on both databases.
 */
export const MAIN_SCREENS = [
  'apps/portal/src/signed-in/account/team/*.browser.test.ts',
  'apps/portal/src/signed-out/{join,register,sign-in}.browser.test.ts',
  'apps/console/src/jobs/{change-*,delete-*,extend-*,find-*,sign-in}.browser.test.ts',
];

/** What staff do in the console. */
export const JOBS = 'apps/console/src/jobs/*.browser.test.ts';

/** These use a connection, process or database that cannot run behind a proxy. */
export const NOT_THROUGH_PRISM = [
  IN_A_BROWSER,
  WITH_REDIS,
  ON_MYSQL_ALONE,
  '**/*.stress.test.ts',
  'packages/features/src/core/rate-limit/login-limits.test.ts',
  'packages/features/src/billing/receive-webhook.test.ts',
  '**/raw-requests.test.ts',
];

/** How soon pages are painted, and how smoothly they scroll: one after the other, with the whole machine. */
export const OF_SPEED = '**/{speed.browser,long-list.browser.stress}.test.ts';

/**
 * What a page does by itself is the same over either database: how it looks, how fast it paints, what stands around it. So is what
 * it shows to whom: the tests of the service show on both what it answers.
 */
export const OF_LOOKS = [
  '**/{look,names}.browser.test.ts',
  OF_SPEED,
  '**/frame.browser.test.ts',
  '**/forms.browser.test.ts',
  '**/development.browser.test.ts',
  '**/walk.browser.test.ts',
  '**/stale.browser.test.ts',
];

/**
 * Left out of `pnpm test:quick`: tests that mostly wait for time to pass or programs to start, and walks over every procedure, member or
 * action, which took a third of its time.
 */
export const NOT_QUICK = [
  '**/*.stress.test.ts',
  '**/admission.test.ts',
  '**/failing-starts.test.ts',
  '**/operations/*.test.ts',
  '**/failures-in-a-row.test.ts',
  '**/social/callback.test.ts',
  '**/rate-limit/login-limits.test.ts',
  'packages/auth-core/src/password/password.test.ts',
  'packages/client-sdk/src/{commonjs,packed}-client.test.ts',
  'packages/client-sdk/src/retry.test.ts',
  'tooling/cli/src/commands/start.test.ts',
  'tooling/openapi/src/*.test.ts',
  '**/promtool.test.ts',
  '**/imported-hashes.test.ts',
  '**/explain/explain.test.ts',
  '**/impersonated-calls.test.ts',
  '**/account-policy/oracle.test.ts',
  '**/{member,account}-actions.test.ts',
  '**/reading-matrix.test.ts',
  '**/live-owner.test.ts',
  '**/{people-surface,surface,tenants,second-step}.test.ts',
  '**/{proven-addresses,refused-accounts,staff-authority}.test.ts',
  '**/checkout/checkout.test.ts',
  '**/changed-tokens.test.ts',
  '**/raw-requests.test.ts',
  '**/{manage-passkeys,web-authn,traces,analyze,run-program,smtp-driver,time-outs}.test.ts',
  '**/{partner,support}-guide.test.ts',
  '**/{secrets,whole-life,impersonation-loss,overtaken}.test.ts',
  '**/{full-disk,hash-passwords,kubernetes}.test.ts',
  '**/registration/joining.test.ts',
  'packages/client-sdk/src/{client,cookie-mode,errors,react,readme,server-client,session,two-steps}.test.ts',
  'tooling/matrix/src/parts-of-the-suite.test.ts',
  'tooling/cli/src/commands/{create-personnel,import-rows,partner-commands,seed-load}.test.ts',
];
