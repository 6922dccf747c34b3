import type { Check } from '../check.js';
import { isSourcePath } from './parse-source.js';

/** Names without meaning, which attract unrelated code. */
const EMPTY_NAMES = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'shared',
  'misc',
  'types',
  'manager',
  'managers',
]);
const EMPTY_ENDINGS = /-(utils?|helpers?)$/;

/** Source files and folders are named for their content. */
export const fileNames: Check = {
  name: 'file-names',
  run: (repository) =>
    repository.paths.filter(isSourcePath).flatMap((path) => {
      const names = path.split('/').map((part) => part.split('.')[0] ?? '');
      const empty = names.find((name) => EMPTY_NAMES.has(name) || EMPTY_ENDINGS.test(name));
      return empty === undefined
        ? []
        : [
            {
              path,
              line: 1,
              message: `\`${empty}\` holds anything: name the file for its one export, the folder for its idea`,
            },
          ];
    }),
};
