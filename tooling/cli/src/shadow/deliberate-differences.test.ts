import { readFileSync } from 'node:fs';
import { blockOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import { NORMALIZATIONS } from './normalizations.js';
import { renderReport } from './shadow-report.js';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** The first cells of SECURITY.md's table of deliberate differences. */
function declared(): string[] {
  const [, after = ''] = read('SECURITY.md').split('| What changed | Why |');
  const [table = ''] = after.split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .flatMap((line) => /^\| (.+?) \|/.exec(line)?.[1] ?? []);
}

it('every row of SECURITY.md has a rule, in the same order, or a reason why no answer shows it', () => {
  const rows = declared();
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.map((row) => DELIBERATE_DIFFERENCES.filter((each) => row.startsWith(each.row)).length)).toEqual(
    rows.map(() => 1),
  );
  expect(DELIBERATE_DIFFERENCES.map(({ row }) => rows.findIndex((each) => each.startsWith(row)))).toEqual(
    rows.map((_, at) => at),
  );
  for (const { explains, isUnseenBecause } of DELIBERATE_DIFFERENCES)
    expect((explains === undefined) !== (isUnseenBecause === undefined)).toBe(true);
});

it('each normalization of gatehouse shadow is named in its document', () => {
  const text = read('docs/shadow.md');
  for (const name of Object.keys(NORMALIZATIONS)) expect(text).toContain(`| ${name} |`);
});

it('renders a report as its document shows it', () => {
  const row = 'No response or log contains a secret';
  expect(DELIBERATE_DIFFERENCES.map((each) => each.row)).toContain(row);
  const password = { place: 'body.data[].password', old: '(secret)', new: 'nothing', count: 50 };
  const report = renderReport({
    played: 4,
    leftOut: new Map([['it may write: --writes plays it', 4]]),
    endpoints: [
      {
        endpoint: 'GET /getAllMemberslist',
        same: 2,
        deliberatelyDifferent: 1,
        different: 1,
        deliberate: new Map([[row, [password]]]),
        differences: [{ place: 'body.data[].role_type', old: '3', new: '2', count: 1 }],
      },
    ],
  });
  expect(`${[...report].join('\n')}\n`).toBe(blockOf('docs/shadow.md', 'DIFFERENT'));
});
