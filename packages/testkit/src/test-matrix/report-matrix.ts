import type { Reporter } from 'vitest/reporters';
import { isStressRun } from '../rounds.js';
import type { Installed } from './find-installed.js';
import { AT_FULL_SIZE_ALONE } from './test-files.js';

/** Prints, in the last line of a run, which parts of the test matrix ran and which the machine could not run. */
export function reportMatrix(installed: Installed): Reporter {
  const { server, mariadb } = installed;
  const absent = [
    server !== undefined && mariadb === undefined ? 'no outages: mariadbd was not found' : [],
    installed.chromium ? [] : 'no browser: chromium was not found',
    installed.redis ? [] : 'no redis: redis-server was not found',
    installed.haproxy ? [] : 'no rolling restart: haproxy was not found',
    installed.proxies ? [] : 'no other proxies: nginx, caddy or openssl was not found',
    installed.prometheus ? [] : 'no alert rules: prometheus and promtool were not found',
    installed.bash ? [] : 'no production tree: bash was not found',
    isStressRun() ? atFullSize(installed) : [],
    server === undefined ? 'no mariadb: neither mariadbd nor TEST_MYSQL_URL was found' : [],
  ].flat();
  return {
    onTestRunEnd(modules) {
      const projects = new Set(modules.map((module) => module.project.name));
      const ran = [
        projects.has('libsql') ? 'libsql' : [],
        projects.has('mariadb') ? `mariadb (${server})` : [],
        projects.has('libsql-redis') ? 'redis' : [],
        projects.has('browser') ? 'chromium' : [],
      ].flat();
      process.stdout.write(`matrix: ${[...ran, ...absent].join(', ') || 'none'}\n`);
    },
  };
}

function atFullSize(installed: Installed): string[] {
  return AT_FULL_SIZE_ALONE.map(({ needs }) => (installed[needs] ? needs : `no ${needs}: it was not found`));
}
