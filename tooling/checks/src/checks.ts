import type { Check } from './check.js';
import { envExample } from './docs/env-example.js';
import { namedPaths } from './docs/named-paths.js';
import { namedScriptsAndVariables } from './docs/named-scripts-and-variables.js';
import { plainWords } from './docs/plain-words.js';
import { environmentAndClocks } from './source/environment-and-clocks.js';
import { shellStartup } from './source/shell-startup.js';
import { stressRounds } from './source/stress-rounds.js';

/** The project's rules that no linter knows. */
export const CHECKS: readonly Check[] = [
  environmentAndClocks,
  shellStartup,
  stressRounds,
  namedPaths,
  namedScriptsAndVariables,
  envExample,
  plainWords,
];
