import { describe, expect, it } from 'vitest';
import { cellsOf } from './cells.js';
import { renderMatrix, withMatrix } from './render-matrix.js';
import type { CellResult } from './results.js';

const RESULT: CellResult = {
  node: '24',
  nodeVersion: '24.21.0',
  database: 'mysql',
  databaseVersion: '9.7.4',
  passed: 1614,
  failed: 0,
  filesLeftOut: 0,
  isGreen: true,
  minutes: 7,
  date: '2026-11-23',
  sources: '',
  isQuick: false,
};

describe('the table of the matrix', () => {
  it('says of each cell what passed, failed and was left out, and which did not run', () => {
    const table = renderMatrix([
      RESULT,
      { ...RESULT, node: '22', nodeVersion: '22.23.3', failed: 2, isGreen: false, filesLeftOut: 61 },
      { ...RESULT, database: 'embedded', databaseVersion: '', passed: 10, isGreen: false },
    ]);
    expect(table.split('\n').slice(0, 6)).toEqual([
      '|  | Embedded | MariaDB | MySQL 9.7.4 |',
      '|---|---|---|---|',
      '| Node 20 | not run | not run | not run |',
      '| Node 22.23.3 | not run | not run | 1,614 passed, **2 failed**, 61 files left out |',
      '| Node 24.21.0 | 10 passed, **the run failed** | not run | 1,614 passed |',
      '| Node 26 | not run | not run | not run |',
    ]);
    expect(table).toContain('Of 2026-11-23.');
  });

  it('takes the place of the one before it, and leaves the rest of the document alone', () => {
    const document = (table: string) =>
      `# A\n\n<!-- pnpm test:matrix writes this -->\n\n${table}\n<!-- until here -->\n\nB\n`;
    expect(withMatrix(document('old\n'), 'new\n')).toBe(document('new\n'));
    expect(() => withMatrix('# A\n', 'new\n')).toThrow('no markers');
  });

  it('has the cells that were asked for, those of the Node that production runs first', () => {
    expect(cellsOf([], []).map(({ node, database }) => `${node} ${database}`)).toEqual([
      '24 embedded',
      '24 mariadb',
      '24 mysql',
      '20 embedded',
      '20 mariadb',
      '20 mysql',
      '22 embedded',
      '22 mariadb',
      '22 mysql',
      '26 embedded',
      '26 mariadb',
      '26 mysql',
    ]);
    expect(cellsOf(['22'], ['mysql'])).toEqual([{ node: '22', database: 'mysql' }]);
    expect(() => cellsOf(['18'], [])).toThrow('--node is one of 20, 22, 24, 26');
  });
});
