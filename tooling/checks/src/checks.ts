import type { Check } from './check.js';
import { alertSections } from './docs/alert-sections.js';
import { envExample } from './docs/env-example.js';
import { links } from './docs/links.js';
import { namedPaths } from './docs/named-paths.js';
import { namedScripts } from './docs/named-scripts.js';
import { namedVariables } from './docs/named-variables.js';
import { plainWords } from './docs/plain-words.js';
import { fileNames } from './source/file-names.js';
import { forbiddenSyntax } from './source/forbidden-syntax.js';
import { glossary } from './source/glossary.js';
import { sourceComments } from './source/source-comments.js';
import { stressRounds } from './source/stress-rounds.js';
import { unneededExports } from './source/unneeded-exports.js';

/** All project rules that linters do not cover. */
export const CHECKS: readonly Check[] = [
  forbiddenSyntax,
  sourceComments,
  fileNames,
  glossary,
  unneededExports,
  stressRounds,
  namedPaths,
  namedScripts,
  namedVariables,
  envExample,
  links,
  plainWords,
  alertSections,
];
