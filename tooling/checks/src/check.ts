import type { Repository } from './repository.js';

/** One place in one file that breaks a rule, and what to do instead. The first line is 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A project rule that no linter has. */
export interface Check {
  readonly name: string;
  run(repository: Repository): Finding[];
}
