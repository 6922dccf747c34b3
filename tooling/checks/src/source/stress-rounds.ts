import type { Check } from '../check.js';

const TEST = /\.test\.tsx?$/;
const STRESS = /\.(stress|rounds)\.test\.tsx?$/;
/** A call with a size for each kind of run; the tests of `rounds` itself are excluded. */
const SIZES = /\brounds\(\{ suite:/;

/** A test with a size for `pnpm test:stress` is in a file that this command runs. */
export const stressRounds: Check = {
  name: 'stress-rounds',
  run: (repository) =>
    repository.paths
      .filter((path) => TEST.test(path) && !STRESS.test(path) && !path.endsWith('testkit/src/rounds.test.ts'))
      .flatMap((path) => {
        const line =
          repository
            .read(path)
            .split('\n')
            .findIndex((text) => SIZES.test(text)) + 1;
        return line === 0
          ? []
          : [
              {
                path,
                line,
                message:
                  'pnpm test:stress does not run this file: end its name in .rounds.test.ts, or in .stress.test.ts if only that command is to run it',
              },
            ];
      }),
};
