import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { isStressRun } from './packages/testkit/src/rounds.js';
import { BUILT, builtModules } from './packages/testkit/src/test-matrix/built-modules.js';
import { endWithParent } from './packages/testkit/src/test-matrix/end-with-parent.js';
import { findInstalled } from './packages/testkit/src/test-matrix/find-installed.js';
import { findSecretsInLogs } from './packages/testkit/src/test-matrix/find-secrets-in-logs.js';
import { leftOut } from './packages/testkit/src/test-matrix/left-out.js';
import { reportMatrix } from './packages/testkit/src/test-matrix/report-matrix.js';
import {
  IN_A_BROWSER,
  JOBS,
  LONG,
  LONG_PAGES,
  LONG_PROGRAMS,
  MAIN_SCREENS,
  NOT_QUICK,
  NOT_THROUGH_PRISM,
  OF_LOOKS,
  OF_SPEED,
  ON_LIBSQL_ALONE,
  ON_MYSQL_ALONE,
  ON_PRODUCTIONS_ALONE,
  STOPPING_THE_SERVER,
  THROUGH_PRISM,
  WITH_REDIS,
  WITHOUT_A_DATABASE,
} from './packages/testkit/src/test-matrix/test-files.js';

const WITHOUT_DATABASE = [
  'packages/auth-core',
  'packages/client-sdk',
  'packages/ui',
  'packages/testkit',
  'tooling/*',
];
const DATABASE = 'packages/db';
const OVER_IT = ['packages/runtime', 'packages/http', 'packages/features'];
const ON_EACH_DATABASE = [DATABASE, ...OVER_IT, 'apps/*'];

const installed = await findInstalled();
const hasServer = installed.server !== undefined;

/**
 * Which tests. `quick` is for while one works: no server unless one is named, no browser, nothing that mostly waits. `usual` and `rest`
 * are `pnpm test` and `pnpm test:rest`, two parts of all tests. Without it there are all.
 */
const part = process.env['GATEHOUSE_TESTS'];
if (part !== undefined && part !== 'quick' && part !== 'usual' && part !== 'rest')
  throw new Error(`GATEHOUSE_TESTS is quick, usual or rest, not ${part}`);

/** Where `.ci/run` wants the results as JSON. */
const reportFile = process.env['GATEHOUSE_TEST_REPORT'];
const report: ['json', { outputFile: string }][] =
  reportFile === undefined ? [] : [['json', { outputFile: reportFile }]];

/** Not at full size, where every hash is worked out. */
const REMEMBER_HASHES = 'packages/auth-core/src/test/remember-hashes.ts';

const sources = { conditions: ['@gatehouse/source'] };
/** Whether our packages have been built just now. */
const isBuilt = process.env['GATEHOUSE_BUILT'] === '1';

const testsIn = (folders: readonly string[], files: string) =>
  folders.map((folder) => `${folder}/src/${files}`);

interface MatrixEntry {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Names of files that are left to `pnpm test:rest`. */
  readonly left?: readonly string[];
  /** Folders that are left to `pnpm test:rest`. */
  readonly leftFolders?: readonly string[];
  /** Given to the tests, which ask for it with `inject`. */
  readonly dialect?: 'libsql' | 'mysql';
  readonly more?: {
    env?: Record<string, string>;
    globalSetup?: string[];
    setupFiles?: string[];
    testTimeout?: number;
    maxWorkers?: number;
    sequence?: { groupOrder: number };
  };
}

function notInPart(left: readonly string[], leftFolders: readonly string[]): string[] {
  if (part === 'quick') return NOT_QUICK;
  const names = left.map((name) => `${name}.test`);
  if (part === 'usual')
    return [...names.map((name) => `**/${name}.ts`), ...leftFolders.map((folder) => `${folder}/**`)];
  if (part !== 'rest') return [];
  const shared = [...WITHOUT_DATABASE, ...ON_EACH_DATABASE].filter((folder) => !leftFolders.includes(folder));
  return shared.map((folder) => `${folder}/**/!(${names.join('|')}).ts`);
}

function project(
  name: string,
  {
    include,
    exclude = [],
    left = [],
    leftFolders = [],
    dialect,
    more: { setupFiles = [], ...more } = {},
  }: MatrixEntry,
): TestProjectConfiguration {
  return {
    ...(isBuilt ? { plugins: [builtModules()] } : { resolve: sources, ssr: { resolve: sources } }),
    test: {
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, ...exclude, ...notInPart(left, leftFolders)],
      ...(dialect === undefined ? {} : { provide: { dialect } }),
      // Modules hold no state, so files may share them; loading them anew for each file took half of the time.
      isolate: false,
      server: { deps: { external: [BUILT] } },
      setupFiles: [...(dialect === undefined || isStressRun() ? [] : [REMEMBER_HASHES]), ...setupFiles],
      // A stress test at full size takes as long as it takes.
      testTimeout: isStressRun() ? 3_600_000 : 30_000,
      hookTimeout: 60_000,
      ...more,
    },
  };
}

const unit = project('unit', {
  include: testsIn(WITHOUT_DATABASE, '**/*.test.ts'),
  exclude: [IN_A_BROWSER, ON_MYSQL_ALONE, ...leftOut(installed)],
  left: LONG_PROGRAMS,
});

const libsql = project('libsql', {
  include: testsIn(ON_EACH_DATABASE, '**/*.test.ts'),
  exclude: [
    IN_A_BROWSER,
    WITH_REDIS,
    ON_MYSQL_ALONE,
    ...leftOut(installed),
    ...(isStressRun() || !hasServer ? [] : ON_PRODUCTIONS_ALONE),
  ],
  left: LONG,
  dialect: 'libsql',
});

const mariadb = project('mariadb', {
  include: [...testsIn(ON_EACH_DATABASE, '**/*.test.ts'), ...testsIn(WITHOUT_DATABASE, ON_MYSQL_ALONE)],
  exclude: [
    IN_A_BROWSER,
    WITH_REDIS,
    ON_LIBSQL_ALONE,
    ...WITHOUT_A_DATABASE,
    ...leftOut(installed),
    ...(installed.mariadb === undefined ? [STOPPING_THE_SERVER] : []),
  ],
  left: LONG,
  leftFolders: [...OVER_IT, 'apps/*'],
  dialect: 'mysql',
  more: { globalSetup: ['packages/testkit/src/mariadb-global-setup.ts'] },
});

const prism = project('libsql-prism', {
  include: isStressRun() ? ['apps/*/src/**/*.test.ts'] : THROUGH_PRISM,
  exclude: NOT_THROUGH_PRISM,
  dialect: 'libsql',
  more: { setupFiles: ['tooling/openapi/src/test/put-prism-in-front.ts'] },
});

/** Projects take their turns by name: these few long files are not to be waited for at the end. */
const redis = project('libsql-redis', {
  include: testsIn(ON_EACH_DATABASE, WITH_REDIS),
  dialect: 'libsql',
});

/** After all else, and fewer side by side: a browser is several processes, and its pages are waited for. */
const IN_TURN = {
  testTimeout: 120_000,
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  setupFiles: ['packages/testkit/src/browser-setup.ts'],
};

const WITH_SCREENS = ['apps/console', 'apps/portal'];
const SCREENS = testsIn(WITH_SCREENS, IN_A_BROWSER);

const browser = project('browser', {
  include: [
    ...testsIn([DATABASE, ...OVER_IT, ...WITHOUT_DATABASE], IN_A_BROWSER),
    ...(part === 'usual' ? MAIN_SCREENS : SCREENS),
  ],
  exclude: [OF_SPEED, ...(part === 'rest' ? MAIN_SCREENS : [])],
  left: LONG_PAGES,
  ...(part === 'rest' ? { leftFolders: ['apps/*'] } : {}),
  dialect: 'libsql',
  more: IN_TURN,
});

const speed = project('browser-speed', {
  include: testsIn(WITH_SCREENS, OF_SPEED),
  dialect: 'libsql',
  more: { ...IN_TURN, maxWorkers: 1, sequence: { groupOrder: 2 } },
});

const ON_MARIADB = { globalSetup: ['packages/testkit/src/mariadb-global-setup.ts'] };

const browserMariadb = project('browser-mariadb', {
  include: isStressRun() ? SCREENS : [...MAIN_SCREENS, JOBS],
  exclude: OF_LOOKS,
  dialect: 'mysql',
  more: { ...ON_MARIADB, ...IN_TURN, ...(isStressRun() ? {} : { env: { GATEHOUSE_LOOKED_AT: '1' } }) },
});

/** What people do, with each hand at the width that it does not have in the suite: the stress run has the whole cross. */
const SWAPPED = { ...IN_TURN, env: { GATEHOUSE_SWAPPED_WIDTHS: '1' } };
const swapped = [
  project('browser-swapped', { include: SCREENS, exclude: OF_LOOKS, dialect: 'libsql', more: SWAPPED }),
  ...(hasServer
    ? [
        project('browser-mariadb-swapped', {
          include: SCREENS,
          exclude: OF_LOOKS,
          dialect: 'mysql',
          more: { ...ON_MARIADB, ...SWAPPED },
        }),
      ]
    : []),
];

export default defineConfig({
  test: {
    // The long tests wait for processes and clocks: two cores have room for three files side by side. All others keep their core busy.
    maxWorkers: Math.max(part === 'rest' ? 3 : 2, availableParallelism()),
    reporters: ['default', endWithParent, findSecretsInLogs, reportMatrix(installed), ...report],
    projects: projects(),
  },
});

function projects(): TestProjectConfiguration[] {
  if (part === 'quick')
    return [unit, libsql, ...(process.env['TEST_MYSQL_URL'] === undefined ? [] : [mariadb])];
  /** Both are in `pnpm test` and, with what it leaves out, in `pnpm test:rest`. */
  const inParts = [unit, libsql, ...(hasServer ? [mariadb] : []), ...(installed.chromium ? [browser] : [])];
  const usual = installed.redis ? [redis] : [];
  const rest = [
    prism,
    ...(installed.chromium ? [speed] : []),
    ...(installed.chromium && hasServer ? [browserMariadb] : []),
  ];
  return [
    ...inParts,
    ...(part === 'rest' ? [] : usual),
    ...(part === 'usual' ? [] : rest),
    ...(installed.chromium && isStressRun() ? swapped : []),
  ];
}
