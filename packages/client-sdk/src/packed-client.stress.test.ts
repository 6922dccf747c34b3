import { readFile } from 'node:fs/promises';
import { isStressRun, printMeasurements, rounds } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type Compiler, compileProject } from './test/compile-project.js';
import { installPackedClient } from './test/install-packed-client.js';

const compilations = rounds({ suite: 1, stress: 5 });
const compilers: readonly Compiler[] = isStressRun() ? ['5.9', '6', '7'] : ['7'];

/** The time a project waits for its types, including the compiler's start and its libraries. */
const MAX_MS = 2000;

describe('the types of the packed client', { timeout: 300_000 }, () => {
  it.each(compilers)('are checked in under two seconds by TypeScript %s', async (compiler) => {
    await using packed = await installPackedClient();
    const calls = await readFile(new URL('./test/correct-calls.ts', import.meta.url), 'utf8');
    const consumer = { 'correct-calls.ts': calls };
    const empty = { 'empty.ts': 'export const nothing = 0;\n' };

    /** The time of a project and of an empty one. Front-end templates set `skipLibCheck`. */
    async function measure(skipLibCheck: boolean) {
      const withClient: number[] = [];
      const without: number[] = [];
      for (let round = 0; round < compilations; round++) {
        const options = { skipLibCheck };
        without.push((await compileProject(packed.folder, 'empty', empty, compiler, options)).milliseconds);
        const { errors, milliseconds } = await compileProject(
          packed.folder,
          'calls',
          consumer,
          compiler,
          options,
        );
        expect(errors).toEqual([]);
        withClient.push(milliseconds);
      }
      return { clientMs: median(withClient), emptyMs: median(without) };
    }

    const usual = await measure(true);
    expect(usual.clientMs).toBeLessThan(isStressRun() ? MAX_MS : Number.POSITIVE_INFINITY);
    if (!isStressRun()) return;
    const everything = await measure(false);
    printMeasurements(`type-checking by TypeScript ${compiler}`, {
      clientMs: usual.clientMs,
      emptyProjectMs: usual.emptyMs,
      clientAndLibrariesMs: everything.clientMs,
      emptyProjectAndLibrariesMs: everything.emptyMs,
      compilations,
    });
    expect(everything.clientMs - everything.emptyMs).toBeLessThan(MAX_MS);
  });
});

function median(values: readonly number[]): number {
  return Math.round(
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN,
  );
}
