import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { cellsOf } from './cells.js';
import { planRun } from './plan-run.js';
import { type CellResult, keepResults, readResults } from './results.js';

const CELLS = cellsOf(['24', '22'], ['embedded']);
const RUN = { cells: CELLS, areNamed: false, sources: 'now', isQuick: false };

const passed = (node: string, more: Partial<CellResult> = {}): CellResult => ({
  node,
  nodeVersion: `${node}.0.0`,
  database: 'embedded',
  databaseVersion: '',
  passed: 840,
  failed: 0,
  filesLeftOut: 0,
  isGreen: true,
  minutes: 7,
  date: '2026-11-24',
  sources: 'now',
  isQuick: false,
  ...more,
});

function plan(before: readonly CellResult[], run: Partial<typeof RUN> = {}) {
  const { results, cells } = planRun({ ...RUN, ...run }, before);
  return {
    kept: results.map(({ node }) => node),
    runs: cells.map(({ cell, again }) => (again === undefined ? cell.node : `${cell.node}: ${again}`)),
  };
}

describe('a run of the matrix', () => {
  it('goes on where it was stopped', () => {
    expect(plan([])).toEqual({ kept: [], runs: ['24', '22'] });
    expect(plan([passed('24')])).toEqual({ kept: ['24'], runs: ['22'] });
    expect(plan([passed('24', { isGreen: false }), passed('22')])).toEqual({
      kept: ['22'],
      runs: ['24: it failed'],
    });
  });

  it('does not count what passed on other sources', () => {
    expect(plan([passed('24', { sources: 'before' }), passed('22')])).toEqual({
      kept: ['22'],
      runs: ['24: the sources have changed since'],
    });
  });

  it('counts a quick cell in a quick run alone, and a whole one in both', () => {
    const quick = passed('24', { isQuick: true });
    expect(plan([quick])).toEqual({
      kept: [],
      runs: ['24: it ran with --quick, which leaves tests out', '22'],
    });
    expect(plan([quick], { isQuick: true })).toEqual({ kept: ['24'], runs: ['22'] });
    expect(plan([passed('24')], { isQuick: true })).toEqual({ kept: ['24'], runs: ['22'] });
  });

  it('begins again once every cell has passed', () => {
    const again = 'every cell has passed on these sources';
    expect(plan([passed('24'), passed('22')])).toEqual({ kept: [], runs: [`24: ${again}`, `22: ${again}`] });
  });

  it('runs the cells that are named, and leaves the others alone', () => {
    const before = [passed('24', { sources: 'before' }), passed('22')];
    expect(plan(before, { cells: cellsOf(['22'], ['embedded']), areNamed: true })).toEqual({
      kept: ['24', '22'],
      runs: ['22'],
    });
  });

  it('keeps the sources of each result, and counts one without them for none', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'matrix');
    keepResults(path, [passed('24', { isQuick: true })]);
    expect(readResults(path)).toEqual([passed('24', { isQuick: true })]);
    const { sources: _sources, isQuick: _isQuick, ...old } = passed('24');
    writeFileSync(join(path, 'results.json'), JSON.stringify([old]));
    expect(plan(readResults(path)).runs).toEqual(['24: the sources have changed since', '22']);
  });
});
