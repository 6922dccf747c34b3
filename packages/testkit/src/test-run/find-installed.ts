import { existsSync } from 'node:fs';
import { findChromium } from '../find-chromium.js';
import { findGalera } from '../find-galera.js';
import { findHaproxy } from '../find-haproxy.js';
import { findMariadb } from '../find-mariadb.js';
import { findNginx } from '../find-nginx.js';
import { findProgram } from '../find-program.js';
import { findPython } from '../find-python.js';
import { findRedis } from '../find-redis.js';

const PROGRAMS = [
  'mariadbd',
  'chromium',
  'redis',
  'haproxy',
  'nginx',
  'prometheus',
  'python',
  'jq',
  'galera',
  'slowhttptest',
  'go',
  'simplesamlphp',
  'lemonldap',
  'onelogin',
  'kubectl',
] as const;

/** A program that tests need. It is a word in their names. */
export type Program = (typeof PROGRAMS)[number];

/** What to install for each. */
export const PACKAGES: Readonly<Record<Program, string>> = {
  mariadbd: 'mariadb-server',
  chromium: 'chromium',
  redis: 'redis-server',
  haproxy: 'haproxy',
  nginx: 'haproxy, nginx, caddy and openssl',
  prometheus: 'prometheus',
  python: 'python3-jwt',
  jq: 'jq',
  galera: 'mariadb-server, haproxy, galera-4 and rsync',
  slowhttptest: 'slowhttptest',
  go: 'golang-go',
  simplesamlphp: 'simplesamlphp, php-cli and php-xml',
  lemonldap: 'liblemonldap-ng-portal-perl, liblasso-perl and libplack-perl',
  onelogin: 'python3-onelogin-saml2',
  kubectl: 'kubernetes-client',
};

/** Which programs this machine has. */
export type Installed = Readonly<Record<Program, boolean>> & {
  /** The version of the server for the MariaDB tests: the installed one, or that of `TEST_MYSQL_URL`. */
  readonly server: string | undefined;
};

/** Only `pnpm test:stress` reports that these are missing. */
export const FOR_STRESS: readonly Program[] = [
  'galera',
  'slowhttptest',
  'go',
  'simplesamlphp',
  'lemonldap',
  'onelogin',
  'kubectl',
];

/**
 * Looks for the programs that tests need.
 * @throws Error if `GATEHOUSE_REQUIRE_LEGS` is 1 and tests would be left out, saying what to install
 */
export async function findInstalled(): Promise<Installed> {
  const mariadb = (await findMariadb())?.version;
  const url = process.env['TEST_MYSQL_URL'];
  const haproxy = findHaproxy() !== undefined;
  const has = (name: string) => findProgram(name) !== undefined;
  const installed = {
    server: url === undefined ? mariadb : 'of TEST_MYSQL_URL',
    mariadbd: mariadb !== undefined,
    chromium: findChromium() !== undefined,
    redis: findRedis() !== undefined,
    haproxy,
    nginx: haproxy && findNginx() !== undefined && has('caddy') && has('openssl'),
    prometheus: has('prometheus') && has('promtool'),
    python: findPython() !== undefined,
    jq: has('jq'),
    galera: haproxy && mariadb !== undefined && findGalera() !== undefined,
    slowhttptest: has('slowhttptest'),
    go: has('go'),
    simplesamlphp: has('php') && existsSync('/usr/share/simplesamlphp/www/saml2/idp/SSOService.php'),
    lemonldap: has('plackup') && existsSync('/usr/share/perl5/Lemonldap/NG/Portal/Issuer/SAML.pm'),
    onelogin: existsSync('/usr/lib/python3/dist-packages/onelogin/saml2/response.py'),
    kubectl: has('kubectl'),
  };
  const missing = missingPrograms(installed).filter((program) => !FOR_STRESS.includes(program));
  if (process.env['GATEHOUSE_REQUIRE_LEGS'] === '1' && missing.length > 0)
    throw new Error(
      `GATEHOUSE_REQUIRE_LEGS asks for every test; missing: ${missing.map((program) => PACKAGES[program]).join('; ')}`,
    );
  return installed;
}

/** The programs that this machine lacks. */
export function missingPrograms(installed: Installed): Program[] {
  return PROGRAMS.filter((program) => !installed[program]);
}
