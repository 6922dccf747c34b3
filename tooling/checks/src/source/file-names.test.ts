import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { fileNames } from './file-names.js';

const findingsFor = (path: string) => fileNames.run(repositoryOf({ [path]: '' }));

describe('file names', () => {
  it.each([
    'packages/db/src/utils.ts',
    'packages/db/src/helpers/open.ts',
    'apps/api-main/src/common.ts',
    'apps/api-main/src/types.ts',
    'packages/features/src/manager.test.ts',
    'packages/features/src/date-utils.ts',
  ])('refuses %s', (path) => {
    expect(findingsFor(path)).toHaveLength(1);
  });

  it.each(['packages/db/src/open.ts', 'packages/auth-core/src/roles/account-manager.ts', 'docs/types.md'])(
    'accepts %s',
    (path) => {
      expect(findingsFor(path)).toEqual([]);
    },
  );
});
