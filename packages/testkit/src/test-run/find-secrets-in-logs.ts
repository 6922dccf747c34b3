import type { Reporter } from 'vitest/reporters';
import { beginCanaryRun, endCanaryRun } from '../canaries.js';

/** A secret of any test in any service's log fails the run, even if no test searches for it. */
export const findSecretsInLogs: Reporter = {
  onInit: beginCanaryRun,
  onTestRunEnd() {
    const { secrets, bytes, leaked } = endCanaryRun();
    process.stdout.write(
      `secrets: ${secrets} planted, ${leaked.length} found in ${(bytes / 1e6).toFixed(1)} MB of logs\n`,
    );
    if (leaked.length === 0) return;
    process.stdout.write(`in a log: ${leaked.join(' ')}\n`);
    process.exitCode = 1;
  },
};
