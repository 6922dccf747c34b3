import { expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { unneededExports } from './unneeded-exports.js';

const INDEX =
  "export { type Row, find, remove as drop } from './find.js';\nexport { keep, ROLES } from './keep.js';";

const namesFound = (files: Record<string, string>, index = 'packages/db/src/index.ts') =>
  unneededExports.run(repositoryOf({ [index]: INDEX, ...files })).map(({ line, message }) => ({
    line,
    name: /`(\w+)`/.exec(message)?.[1],
  }));

it('finds what no other package imports, but no types and no tables in capitals', () => {
  expect(namesFound({})).toEqual([
    { line: 1, name: 'find' },
    { line: 1, name: 'drop' },
    { line: 2, name: 'keep' },
  ]);
});

it('accepts what another package imports, whatever it calls it', () => {
  const importer = "import { drop as take, find, type Row } from '@gatehouse/db';";
  expect(namesFound({ 'apps/api-main/src/a.ts': importer })).toEqual([{ line: 2, name: 'keep' }]);
});

it('does not count the package itself, or another package with that name', () => {
  const importer = "import { find } from '@gatehouse/db';\nimport { drop } from '@gatehouse/db-tools';";
  expect(namesFound({ 'packages/db/src/a.test.ts': importer })).toHaveLength(3);
});

it('leaves the published client alone', () => {
  expect(namesFound({}, 'packages/client-sdk/src/index.ts')).toEqual([]);
});
