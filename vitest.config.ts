import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { isStressRun } from './packages/testkit/src/rounds.js';
import { BUILT, builtModules } from './packages/testkit/src/test-run/built-modules.js';
import { findInstalled, missingPrograms } from './packages/testkit/src/test-run/find-installed.js';
import { findSecretsInLogs } from './packages/testkit/src/test-run/find-secrets-in-logs.js';
import { reportMatrix } from './packages/testkit/src/test-run/report-matrix.js';
import { reportStress } from './packages/testkit/src/test-run/report-stress.js';
import { SlowFilesFirst } from './packages/testkit/src/test-run/slow-files-first.js';

const WITHOUT_DATABASE = [
  'packages/auth-core',
  'packages/client-sdk',
  'packages/ui',
  'packages/testkit',
  'packages/runtime',
  'tooling/*',
];
const WITH_DATABASE = ['packages/db', 'packages/http', 'packages/features', 'apps/*'];
const EVERYWHERE = [...WITHOUT_DATABASE, ...WITH_DATABASE];
const WITH_SCREENS = ['apps/console', 'apps/portal'];

const installed = await findInstalled();
const hasServer = installed.server !== undefined;
const isStress = isStressRun();

/**
 * The words of a test's name say where it runs: `outage.mariadbd.rounds.test.ts` needs that program, on which it runs few rounds here, and
 * many in a stress run.
 */
const testsIn = (folders: readonly string[], word = '*') =>
  folders.map((folder) => `${folder}/src/**/{*.,}${word}${isStress ? '.{stress,rounds}' : '{.*,}'}.test.ts`);

const named = (...words: readonly string[]) => words.map((word) => `**/{*.,}${word}{.*,}.test.ts`);

/** Words and names of tests that this run leaves out. Vitest applies its own `--exclude` to no project. */
const leftOut = (process.env['GATEHOUSE_WITHOUT'] ?? '').split(',').filter((word) => word !== '');

/** Where the results are wanted as JSON. */
const reportFile = process.env['GATEHOUSE_TEST_REPORT'];
const report: ['json', { outputFile: string }][] =
  reportFile === undefined ? [] : [['json', { outputFile: reportFile }]];

/** Not at full size, where every hash is worked out. */
const REMEMBER_HASHES = 'packages/auth-core/src/test/remember-hashes.ts';

const sources = { conditions: ['@gatehouse/source'] };
/** Whether our packages have been built just now. */
const isBuilt = process.env['GATEHOUSE_BUILT'] === '1';

interface Project {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
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

function project(
  name: string,
  { include, exclude = [], dialect, more: { setupFiles = [], ...more } = {} }: Project,
): TestProjectConfiguration {
  return {
    ...(isBuilt ? { plugins: [builtModules()] } : { resolve: sources, ssr: { resolve: sources } }),
    test: {
      name,
      include: [...include],
      exclude: [
        ...configDefaults.exclude,
        ...exclude,
        ...named(...missingPrograms(installed)),
        ...(isStress ? [] : named('stress')),
        ...named(...leftOut),
      ],
      ...(dialect === undefined ? {} : { provide: { dialect } }),
      // Modules hold no state, so files may share them; loading them anew for each file took half of the time.
      isolate: false,
      server: { deps: { external: [BUILT] } },
      setupFiles: [...(isStress ? [] : [REMEMBER_HASHES]), ...setupFiles],
      // A stress test at full size takes as long as it takes.
      testTimeout: isStress ? 3_600_000 : 30_000,
      hookTimeout: 60_000,
      ...more,
    },
  };
}

const ON_MARIADB = { globalSetup: ['packages/testkit/src/mariadb-global-setup.ts'] };

/** After all else, and few side by side: a browser is several processes, and three take longer than two on two cores. */
const IN_A_BROWSER = {
  testTimeout: 120_000,
  maxWorkers: 2,
  sequence: { groupOrder: 1 },
  setupFiles: ['packages/testkit/src/browser-setup.ts'],
};

/** All that people do in the portal and the console, which a stress run does in more ways than the suite. */
const SCREENS = WITH_SCREENS.map((folder) => `${folder}/src/**/*.browser.test.ts`);

const projects = [
  project('unit', {
    include: testsIn(WITHOUT_DATABASE),
    exclude: named('browser', 'mysql', 'mariadbd', 'redis'),
  }),
  project('libsql', {
    include: testsIn(WITH_DATABASE),
    exclude: [
      ...named('browser', 'redis', 'prism', 'mysql', 'mariadbd'),
      // Few rounds of races and kills are on the database of production, if there is one, and many are on both.
      ...(isStress || !hasServer ? [] : ['**/!(*.libsql).rounds.test.ts']),
    ],
    dialect: 'libsql',
  }),
  ...(hasServer
    ? [
        project('mariadb', {
          include: [
            ...testsIn(WITH_DATABASE),
            ...testsIn(WITHOUT_DATABASE, 'mysql'),
            ...testsIn(WITHOUT_DATABASE, 'mariadbd'),
          ],
          exclude: named('browser', 'redis', 'prism', 'libsql'),
          dialect: 'mysql',
          more: ON_MARIADB,
        }),
      ]
    : []),
  ...(installed.redis
    ? [project('libsql-redis', { include: testsIn(EVERYWHERE, 'redis'), dialect: 'libsql' })]
    : []),
  project('libsql-prism', {
    include: isStress ? ['apps/*/src/**/*.test.ts'] : testsIn(WITH_DATABASE, 'prism'),
    exclude: [
      ...named('browser', 'redis', 'mysql', 'mariadbd', 'stress', 'rounds', 'raw-requests'),
      ...(isStress ? named('prism') : []),
    ],
    dialect: 'libsql',
    more: { setupFiles: ['tooling/openapi/src/test/put-prism-in-front.ts'] },
  }),
  ...(installed.chromium ? inABrowser() : []),
];

function inABrowser(): TestProjectConfiguration[] {
  const dialect = 'libsql';
  const alone = { ...IN_A_BROWSER, maxWorkers: 1, sequence: { groupOrder: 2 } };
  const usual = [
    project('browser', {
      include: isStress ? SCREENS : testsIn(EVERYWHERE, 'browser'),
      exclude: named('speed'),
      dialect,
      more: IN_A_BROWSER,
    }),
    project('browser-speed', {
      include: WITH_SCREENS.map((folder) => `${folder}/src/**/{*.,}speed.browser{.*,}.test.ts`),
      dialect,
      more: alone,
    }),
  ];
  if (!isStress) return usual;
  const isSwapped = { env: { GATEHOUSE_SWAPPED_WIDTHS: '1' } };
  // What people do, on both databases and with each hand at each width. Looks depend on neither.
  const people = { include: SCREENS, exclude: named('look', 'speed') };
  return [
    ...usual,
    project('browser-swapped', { ...people, dialect, more: { ...IN_A_BROWSER, ...isSwapped } }),
    ...(hasServer
      ? [
          project('browser-mariadb', {
            ...people,
            dialect: 'mysql',
            more: { ...ON_MARIADB, ...IN_A_BROWSER },
          }),
          project('browser-mariadb-swapped', {
            ...people,
            dialect: 'mysql',
            more: { ...ON_MARIADB, ...IN_A_BROWSER, ...isSwapped },
          }),
        ]
      : []),
  ];
}

export default defineConfig({
  test: {
    tags: [{ name: 'slow', description: 'Takes many seconds: `pnpm test` leaves it to `pnpm test:all`.' }],
    // Some tests wait for processes and clocks: two cores have room for three files side by side.
    maxWorkers: Math.max(3, availableParallelism()),
    reporters: [
      'default',
      findSecretsInLogs,
      reportMatrix(installed),
      ...(isStress ? [reportStress('docs/stress.md')] : []),
      ...report,
    ],
    sequence: { sequencer: SlowFilesFirst },
    projects,
  },
});
