import { isStressRun } from '../rounds.js';
import type { Installed } from './find-installed.js';
import { AT_FULL_SIZE_ALONE, BEHIND_A_BALANCER } from './test-files.js';

/** What both databases leave out: stress tests for want of a program, and those that only `pnpm test:stress` runs. */
export function leftOut(installed: Installed): string[] {
  const stress = AT_FULL_SIZE_ALONE.filter(({ needs }) => !isStressRun() || !installed[needs]);
  return [...stress.map(({ files }) => files), ...(installed.haproxy ? [] : [BEHIND_A_BALANCER])];
}
