import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { stressRounds } from './stress-rounds.js';

const SIZES = '{ suite: 2, stress: 20 }';
const findingsFor = (path: string) =>
  stressRounds.run(repositoryOf({ [path]: `const one = 1;\nconst n = rounds(${SIZES});\n` }));

describe('tests with a size for a stress run', () => {
  it('are refused in a file that the stress command does not run', () => {
    expect(findingsFor('packages/db/src/races.test.ts')).toMatchObject([{ line: 2 }]);
  });

  it('are accepted in one that it runs', () => {
    expect(findingsFor('packages/db/src/races.stress.test.ts')).toEqual([]);
    expect(findingsFor('packages/testkit/src/walk.ts')).toEqual([]);
  });
});
