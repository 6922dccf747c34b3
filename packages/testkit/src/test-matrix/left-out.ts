import { isStressRun } from '../rounds.js';
import type { Installed } from './find-installed.js';
import {
  AT_FULL_SIZE_ALONE,
  BEHIND_A_BALANCER,
  BEHIND_PROXIES,
  WITH_BASH,
  WITH_PROMTOOL,
  WITH_PYTHON,
} from './test-files.js';

/** Files left out on both databases: tests without their program, and those only `pnpm test:stress` runs. */
export function leftOut(installed: Installed): string[] {
  const stress = AT_FULL_SIZE_ALONE.filter(({ needs }) => !isStressRun() || !installed[needs]);
  return [
    ...stress.map(({ files }) => files),
    ...(installed.bash ? [] : [WITH_BASH]),
    ...(installed.haproxy ? [] : [BEHIND_A_BALANCER]),
    ...(installed.haproxy && installed.proxies ? [] : [BEHIND_PROXIES]),
    ...(installed.prometheus ? [] : [WITH_PROMTOOL]),
    ...(installed.python ? [] : [WITH_PYTHON]),
  ];
}
