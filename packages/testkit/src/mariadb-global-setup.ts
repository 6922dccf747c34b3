import { type PrivateMariadb, startPrivateMariadb } from './start-private-mariadb.js';
import { removeTestSchemas } from './test-server.js';

let server: PrivateMariadb | undefined;

/**
 * With statistics kept on the disk, the server rewrites them after every test, which takes a third of the time of emptying a
 * schema.
 */
const WITHOUT_KEPT_FIGURES = ['--innodb-stats-persistent=0'];

/** Starts the server of a test run, unless TEST_MYSQL_URL names one. */
export async function setup(): Promise<void> {
  if (process.env['TEST_MYSQL_URL'] === undefined) {
    server = await startPrivateMariadb({ settings: WITHOUT_KEPT_FIGURES });
    process.env['TEST_MYSQL_URL'] = server.url('');
  }
  await removeTestSchemas();
}

/** Ends the server of a test run. */
export async function teardown(): Promise<void> {
  // Several parts of the matrix share one server, which the first of them has ended.
  if (process.env['TEST_MYSQL_URL'] === undefined) return;
  await removeTestSchemas();
  if (server === undefined) return;
  delete process.env['TEST_MYSQL_URL'];
  await server[Symbol.asyncDispose]();
}
