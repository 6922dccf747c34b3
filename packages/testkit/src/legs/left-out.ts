import { isProving } from '../rounds.js';
import type { Installed } from './find-installed.js';
import { AT_FULL_SIZE_ALONE, BEHIND_A_BALANCER } from './test-files.js';

/** What both databases leave out: proofs for want of a program, and those that only `pnpm prove` runs. */
export function leftOut(installed: Installed): string[] {
  const proofs = AT_FULL_SIZE_ALONE.filter(({ needs }) => !isProving() || !installed[needs]);
  return [...proofs.map(({ files }) => files), ...(installed.haproxy ? [] : [BEHIND_A_BALANCER])];
}
