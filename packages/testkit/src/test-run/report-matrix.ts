import type { Reporter } from 'vitest/reporters';
import { isStressRun } from '../rounds.js';
import { FOR_STRESS, type Installed, missingPrograms, PACKAGES } from './find-installed.js';

/** Prints, in the last line of a run, the databases and programs with which the tests ran, and those that the machine lacks. */
export function reportMatrix(installed: Installed): Reporter {
  return {
    onTestRunEnd(modules) {
      const projects = new Set(modules.map((module) => module.project.name));
      const ran = [
        projects.has('libsql') ? 'libsql' : [],
        projects.has('mariadb') ? `mariadb (${installed.server})` : [],
        projects.has('libsql-redis') ? 'redis' : [],
        projects.has('browser') ? 'chromium' : [],
      ].flat();
      const left = missingPrograms(installed)
        .filter((program) => isStressRun() || !FOR_STRESS.includes(program))
        .map((program) => `no ${program}: ${PACKAGES[program]} was not found`);
      process.stdout.write(`matrix: ${[...ran, ...left].join(', ') || 'none'}\n`);
    },
  };
}
