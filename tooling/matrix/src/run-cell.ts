import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startPrivateMariadb } from '@gatehouse/testkit';
import { z } from 'zod';
import { type Cell, type MatrixDatabase, PRIMARY_NODE } from './cells.js';
import { findMysql } from './mysql-program.js';
import { nodeVersion, programFolderOf } from './node-programs.js';
import type { MatrixRun } from './plan-run.js';
import type { CellResult } from './results.js';
import { readJson, readReport, runVitest } from './run-vitest.js';
import { startMysql } from './start-mysql.js';

/** Where a run of the matrix finds and leaves things. */
export interface MatrixPlaces extends MatrixRun {
  readonly env: NodeJS.ProcessEnv;
  /** Of what was fetched. */
  readonly cache: string;
  /** Of results and logs. */
  readonly folder: string;
}

const PROJECTS = {
  embedded: ['unit', 'libsql'],
  mariadb: ['mariadb'],
  mysql: ['mariadb'],
} as const;

/** These start a MariaDB of their own: they would show nothing of MySQL. */
const ON_A_PRIVATE_MARIADB = '**/{outage,power-cut,restore,lost-packets,late-commit}*.test.ts';

/** What other Nodes than the primary one run, without the slow tests: what stands closest to Node and the database. */
const CLOSEST = [
  'packages/auth-core',
  'packages/db',
  'packages/http',
  'packages/runtime',
  'apps/api-admin/src/surface',
  'apps/api-main/src/first-sign-in',
  'apps/api-main/src/rules',
  'apps/api-main/src/token-uses',
  'apps/api-main/src/whole-life',
];

/**
 * Runs the tests of one cell by its Node against its database.
 * @throws Error if the Node or the database is missing: only `pnpm test:matrix:prepare` fetches them
 */
export async function runCell(cell: Cell, places: MatrixPlaces): Promise<CellResult> {
  const version = await nodeVersion(places.cache, cell.node);
  if (version === undefined)
    throw new Error(`Node ${cell.node} is missing: pnpm test:matrix:prepare fetches it`);
  mkdirSync(places.folder, { recursive: true });
  await using server = await startDatabase(cell.database, places);
  const startedMs = performance.now();
  const file = (kind: string): string => join(places.folder, `node-${cell.node}-${cell.database}.${kind}`);
  const { GATEHOUSE_TESTS: _part, TEST_MYSQL_URL: _url, ...inherited } = places.env;
  const env = {
    ...inherited,
    PATH: [programFolderOf(places.cache, cell.node), inherited['PATH']].join(delimiter),
    ...(server.url === undefined ? {} : { TEST_MYSQL_URL: server.url }),
  };
  const projects = PROJECTS[cell.database].flatMap((name) => ['--project', name]);
  const isWhole = cell.node === PRIMARY_NODE && !places.isQuick;
  const files = isWhole ? [] : CLOSEST;
  const excluded = cell.database === 'mysql' ? ['--exclude', ON_A_PRIVATE_MARIADB] : [];
  const node = join(programFolderOf(places.cache, cell.node), 'node');
  const all = await runVitest(['list', '--filesOnly', `--json=${file('files.json')}`, ...projects], {
    node,
    env,
    log: file('files.log'),
  });
  if (all !== 0) throw new Error(`vitest cannot list the files of the cell: ${file('files.log')}`);
  rmSync(file('json'), { force: true });
  const code = await runVitest(['run', ...files, ...projects, ...excluded], {
    node,
    env: {
      ...env,
      GATEHOUSE_TEST_REPORT: file('json'),
      ...(isWhole ? {} : { GATEHOUSE_TESTS: 'quick' }),
    },
    log: file('log'),
  });
  const ran = readReport(file('json'));
  return {
    ...cell,
    nodeVersion: version,
    databaseVersion: server.version,
    passed: ran.numPassedTests,
    failed: ran.numFailedTests,
    filesLeftOut: z.array(z.unknown()).parse(readJson(file('files.json'))).length - ran.testResults.length,
    isGreen: code === 0 && ran.success,
    minutes: Math.round((performance.now() - startedMs) / 6_000) / 10,
    date: new Date().toISOString().slice(0, 10),
    sources: places.sources,
    isQuick: cell.node === PRIMARY_NODE && places.isQuick,
  };
}

interface DatabaseOfCell extends AsyncDisposable {
  readonly url: string | undefined;
  readonly version: string;
}

async function startDatabase(
  database: MatrixDatabase,
  { env, cache }: MatrixPlaces,
): Promise<DatabaseOfCell> {
  const nothing = async (): Promise<void> => {};
  if (database === 'embedded') return { url: undefined, version: '', [Symbol.asyncDispose]: nothing };
  if (database === 'mariadb') {
    const server = await startPrivateMariadb();
    return {
      url: server.url(''),
      version: server.version,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const named = env['MATRIX_MYSQL_URL'];
  if (named !== undefined)
    return { url: named, version: env['MATRIX_MYSQL_VERSION'] ?? '', [Symbol.asyncDispose]: nothing };
  const program = await findMysql(cache);
  if (program === undefined) throw new Error('MySQL is missing: pnpm test:matrix:prepare fetches it');
  const server = await startMysql(program);
  return {
    url: server.url,
    version: program.version,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
