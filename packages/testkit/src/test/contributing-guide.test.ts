import { afterEach, expect, it, vi } from 'vitest';
import { blockOf } from '../block-of.js';
import { printMeasurements } from '../measure-paint.js';
import { rounds } from '../rounds.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('counts rounds, and prints the figures of a stress run, as the guide for contributors shows', async () => {
  const lines = blockOf('CONTRIBUTING.md', 'printMeasurements').replace(/^import .*$/m, '');
  const program = `export default (rounds, printMeasurements) => {${lines}}`;
  const module: unknown = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program)}`
  );
  const { default: follow } = module as { default: (...given: unknown[]) => void };
  const print = vi.spyOn(console, 'log').mockReturnValue();
  for (const stress of ['0', '1']) {
    vi.stubEnv('GATEHOUSE_STRESS', stress);
    follow(rounds, printMeasurements);
  }
  expect(print.mock.calls).toEqual([['stress: a logout survives kill -9: kills 1000, lost 0']]);
});
