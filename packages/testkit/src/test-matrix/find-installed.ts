import { existsSync } from 'node:fs';
import { findChromium } from '../find-chromium.js';
import { findGalera } from '../find-galera.js';
import { findHaproxy } from '../find-haproxy.js';
import { findMariadb } from '../find-mariadb.js';
import { findNginx } from '../find-nginx.js';
import { findProgram } from '../find-program.js';
import { findPython } from '../find-python.js';
import { findRedis } from '../find-redis.js';

/** The parts of the test matrix this machine can run. */
export interface Installed {
  /** The version of the server that tests may start and stop. */
  readonly mariadb: string | undefined;
  /** The server for the MariaDB tests: that version, or the one of `TEST_MYSQL_URL`. */
  readonly server: string | undefined;
  readonly chromium: boolean;
  readonly redis: boolean;
  readonly haproxy: boolean;
  /** nginx, Caddy, and openssl for their certificates. */
  readonly proxies: boolean;
  /** The programs that three nodes of a cluster need. */
  readonly galera: boolean;
  readonly slowhttptest: boolean;
  /** Prometheus and promtool, which come together. */
  readonly prometheus: boolean;
  /** Python with PyJWT. */
  readonly python: boolean;
  readonly bash: boolean;
  /** Whether /proc has the figures of processes. */
  readonly proc: boolean;
}

const EVERYTHING: Installed = {
  mariadb: 'any',
  server: 'any',
  chromium: true,
  redis: true,
  haproxy: true,
  proxies: true,
  galera: true,
  slowhttptest: true,
  prometheus: true,
  python: true,
  bash: true,
  proc: true,
};

/**
 * Looks for the programs of the test matrix. `GATEHOUSE_LIST_ALL=1` takes them all for installed, to list what this machine
 * would leave out.
 * @throws Error if `GATEHOUSE_REQUIRE_LEGS` is 1 and a part of the test matrix would be left out, saying what
 * to install
 */
export async function findInstalled(): Promise<Installed> {
  if (process.env['GATEHOUSE_LIST_ALL'] === '1') return EVERYTHING;
  const mariadb = (await findMariadb())?.version;
  const haproxy = findHaproxy() !== undefined;
  const installed = {
    mariadb,
    server: process.env['TEST_MYSQL_URL'] === undefined ? mariadb : 'of TEST_MYSQL_URL',
    chromium: findChromium() !== undefined,
    redis: findRedis() !== undefined,
    haproxy,
    proxies:
      findNginx() !== undefined && ['caddy', 'openssl'].every((name) => findProgram(name) !== undefined),
    galera: haproxy && mariadb !== undefined && findGalera() !== undefined,
    slowhttptest: findProgram('slowhttptest') !== undefined,
    prometheus: findProgram('prometheus') !== undefined && findProgram('promtool') !== undefined,
    python: findPython() !== undefined,
    bash: findProgram('bash') !== undefined,
    proc: existsSync('/proc/self/fd'),
  };
  if (process.env['GATEHOUSE_REQUIRE_LEGS'] === '1') requireMatrix(installed);
  return installed;
}

function requireMatrix({ server, chromium, redis, haproxy, proxies, prometheus, python }: Installed): void {
  const missing = [
    server === undefined ? 'mariadb-server, or a server that TEST_MYSQL_URL names' : [],
    chromium ? [] : 'chromium',
    redis ? [] : 'redis-server',
    haproxy ? [] : 'haproxy',
    proxies ? [] : 'nginx, caddy and openssl',
    prometheus ? [] : 'prometheus',
    python ? [] : 'python3-jwt',
  ].flat();
  if (missing.length === 0) return;
  throw new Error(`GATEHOUSE_REQUIRE_LEGS asks for the whole test matrix; missing: ${missing.join('; ')}`);
}
