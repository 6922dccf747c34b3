import { describe, expect, it } from 'vitest';
import { inWords } from './figures.js';
import { itemsOf } from './items.js';
import { renderReport } from './render-report.js';
import { duration, estimate, type ItemResult, itemsLeft } from './results.js';

const KILLS = 'packages/features/src/account/invitation/kills.stress.test.ts';
const items = itemsOf([
  { file: KILLS, projectName: 'libsql' },
  { file: KILLS, projectName: 'mariadb' },
]);
const [clusterItem] = itemsOf([
  { file: 'apps/api-main/src/operations/cluster.mysql.stress.test.ts', projectName: 'mariadb' },
]);
if (clusterItem === undefined) throw new Error('a stress test is an item');

const PASSED: ItemResult = {
  name: `libsql ${KILLS}`,
  hasPassed: true,
  passed: 2,
  failed: 0,
  seconds: 4_000,
  figures: ['a joining survives a kill (libsql): rounds 1000, tooLate 0'],
  titles: ['a joining', 'a refusal'],
  failures: [],
  startedAt: '2026-11-24T00:05:10.000Z',
  commit: 'abcdef12',
  sources: 'these',
  node: '24.21.0',
  machine: '2 cores, 8 GiB',
};
const FAILED: ItemResult = {
  ...PASSED,
  name: `mariadb ${KILLS}`,
  hasPassed: false,
  passed: 1,
  failed: 1,
  seconds: 100,
  failures: ['a refusal: expected 1 | 2'],
};
const accepted = { sources: 'these', isAnyCommit: false };
const byName = (...results: ItemResult[]) => new Map(results.map((result) => [result.name, result]));
const report = (results: ReadonlyMap<string, ItemResult>, leftOut = [clusterItem]) =>
  renderReport({
    ...accepted,
    items,
    results,
    leftOut,
    missing: ['galera'],
    databases: ['embedded (libsql 0.5.29)', 'MariaDB 10.11.19'],
  });

describe('a stress run that is started again', () => {
  const names = (...how: Parameters<typeof itemsLeft>) => itemsLeft(...how).map(({ project }) => project);

  it('runs what failed, what has not run, and what ran on other sources', () => {
    expect(names(items, byName(), accepted)).toEqual(['libsql', 'mariadb']);
    expect(names(items, byName(PASSED), accepted)).toEqual(['mariadb']);
    expect(names(items, byName(PASSED, FAILED), accepted)).toEqual(['mariadb']);
    expect(names(items, byName({ ...PASSED, sources: 'others' }), accepted)).toEqual(['libsql', 'mariadb']);
  });

  it('keeps what passed on other sources if it is told so', () => {
    const others = byName({ ...PASSED, sources: 'others' }, { ...FAILED, sources: 'others' });
    expect(names(items, others, { sources: 'these', isAnyCommit: true })).toEqual(['mariadb']);
  });

  it('says how long it is likely to take', () => {
    expect(estimate(items, byName())).toBe('unknown');
    expect(estimate(items, byName(PASSED))).toBe('67 min, and 1 that never ran');
    expect(estimate(items, byName(PASSED, FAILED))).toBe('68 min');
    expect([40, 600, 11_100].map(duration)).toEqual(['40 s', '10 min', '3 h 5 min']);
  });
});

describe('the report of a stress run', () => {
  it('begins with what failed, what did not run and what was left out', () => {
    const text = report(byName(FAILED));
    expect(text).toContain('1 of 3 items ran, 0 of them passed.');
    expect(text.slice(text.indexOf('## '), text.indexOf('\n\n## Stress tests')).split('\n').slice(4)).toEqual(
      [
        `| libsql ${KILLS} | has not run |`,
        String.raw`| mariadb ${KILLS} | **failed**: a refusal: expected 1 \| 2 |`,
        `| ${clusterItem.name} | left out, as this machine lacks galera |`,
      ],
    );
  });

  it('says where and when it ran, and what each item showed', () => {
    const text = report(byName(PASSED, { ...FAILED, ...PASSED, name: FAILED.name, figures: [] }), []);
    expect(text).toContain('2 of 2 items ran, 2 of them passed.');
    expect(text).not.toContain('did not run');
    expect(text).toContain('| Commit | abcdef12 |');
    expect(text).toContain('| Databases | embedded (libsql 0.5.29), MariaDB 10.11.19 |');
    expect(text).toContain('| All items together | 2 h 13 min |');
    expect(text).toContain(
      `| \`${KILLS}\` | embedded | a joining survives a kill: rounds 1,000, too late 0 | 2 | 67 min | passed |`,
    );
    expect(text).toContain(`| \`${KILLS}\` | MariaDB | a joining<br>a refusal | 2 | 67 min | passed |`);
  });

  it('has figures in plain words', () => {
    expect(
      inWords(
        'a cluster: killed (mysql): kills 12000, slowestMs 6.4, statuses {"200":5,"503":2}, others A b',
      ),
    ).toBe('a cluster: killed: kills 12,000, slowest 6.4 ms, statuses (200 5, 503 2), others A b');
    expect(inWords('mixed load: seconds 600, main {"mostMib":145,"mib":{"before":1,"now":2}}')).toBe(
      'mixed load: 600 s, main (most mib 145, mib (before 1, now 2))',
    );
  });
});
