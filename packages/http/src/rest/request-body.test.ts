import { describe, expect, it } from 'vitest';
import { queryFields } from './request-body.js';

const queryOf = (names: number) =>
  new URLSearchParams(Array.from({ length: names }, (_, index): [string, string] => [`a${index}`, '']));

/** The time that reading the query the given number of times takes, in milliseconds. */
function timeOf(query: URLSearchParams, times: number): number {
  const startedAt = performance.now();
  for (let time = 0; time < times; time += 1) queryFields(query);
  return performance.now() - startedAt;
}

describe('the fields of a query', () => {
  it('are lists when a name is repeated, and own properties whatever their names', () => {
    const fields = queryFields(new URLSearchParams('a=1&b=2&a=3&__proto__=4&constructor=5'));
    expect(Object.entries(fields)).toEqual([
      ['a', ['1', '3']],
      ['b', '2'],
      ['__proto__', '4'],
      ['constructor', '5'],
    ]);
  });

  it('take time in proportion to the number of names, not to its square', () => {
    const few = queryOf(500);
    const many = queryOf(8_000);
    // The same number of names, alternately, so that a busy machine interrupts both equally.
    const times = Array.from({ length: 25 }, () => ({ few: timeOf(few, 16), many: timeOf(many, 1) }));
    const shortest = (of: 'few' | 'many') => Math.min(...times.map((time) => time[of]));
    expect(shortest('many') / shortest('few')).toBeLessThan(6);
  });
});
