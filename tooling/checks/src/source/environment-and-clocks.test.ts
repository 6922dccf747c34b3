import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { environmentAndClocks } from './environment-and-clocks.js';

const linesIn = (path: string, ...lines: string[]) =>
  environmentAndClocks.run(repositoryOf({ [path]: lines.join('\n') })).map((finding) => finding.line);

describe('the check of environment and clock', () => {
  it.each([
    'const port = process.env.PORT;',
    "const port = process['env'];",
    'const port = globalThis.process.env.PORT;',
    'const { env } = process;',
    'const { env: all } = process;',
    "import { env } from 'node:process';",
    "import { env as all } from 'process';",
  ])('finds the environment read outside a composition root: %s', (line) => {
    expect(linesIn('packages/features/src/core/config.ts', '', line)).toEqual([2]);
  });

  it.each([
    'apps/api-main/src/main.ts',
    'tooling/cli/src/main.ts',
    'tooling/bench/src/lists/main.ts',
    'vitest.config.ts',
    'packages/testkit/src/rounds.ts',
    'packages/features/src/test/killed-service.ts',
  ])('lets %s read the environment', (path) => {
    expect(linesIn(path, 'export const port = process.env.PORT;')).toEqual([]);
  });

  it.each(['apps/api-main/src/login/main.ts', 'packages/db/src/main.ts'])(
    'does not treat %s as a composition root',
    (path) => {
      expect(linesIn(path, 'export const port = process.env.PORT;')).toEqual([1]);
    },
  );

  it('ignores words in comments and strings', () => {
    expect(
      linesIn('packages/db/src/open.ts', '// process.env', "export const a = 'process.env Math.random()';"),
    ).toEqual([]);
  });

  it('finds predictable randomness everywhere, tests included', () => {
    expect(
      linesIn('apps/api-main/src/a.test.ts', 'const a = Math.random();', 'const b = Math[`random`]();'),
    ).toEqual([1, 2]);
  });

  it.each(['Date.now()', 'new Date()', 'new Date', 'Date()', 'performance.now()', 'const clock = Date.now'])(
    'finds the clock in auth-core: %s',
    (expression) => {
      expect(linesIn('packages/auth-core/src/tokens/token-kinds.ts', `${expression};`)).toEqual([1]);
    },
  );

  it('allows auth-core to convert an instant it was given', () => {
    expect(
      linesIn('packages/auth-core/src/a.ts', 'export const b = (nowMs: number) => new Date(nowMs);'),
    ).toEqual([]);
  });

  it('allows the clock outside auth-core and in its tests', () => {
    expect(linesIn('packages/features/src/a.ts', 'export const now = Date.now();')).toEqual([]);
    expect(linesIn('packages/auth-core/src/a.test.ts', 'export const now = Date.now();')).toEqual([]);
  });

  it.each(["vi.mock('./a.js');", "vi.doMock('./a.js');", 'vi.hoisted(() => 1);'])(
    'finds the module mock %s',
    (line) => {
      expect(linesIn('packages/db/src/open.test.ts', line)).toEqual([1]);
    },
  );
});
