import { expect, it } from 'vitest';
import { readableFigures } from './report-stress.js';

it('writes the figures of a stress test in words, with units and thousands', () => {
  expect(
    readableFigures('rounds 1000, tooLate 0, slowestMs 4018, mostMib 288, ratio -2.40, seconds 79'),
  ).toBe('rounds 1,000, too late 0, slowest 4,018 ms, most 288 MiB, ratio -2.40, 79 s');
});

it('leaves figures alone that are in words already, and values that are no numbers', () => {
  for (const figures of ['slowest 4,018 ms, lost 0', 'fired after 6.8 s', 'statuses {"200":1500,"204":3}']) {
    expect(readableFigures(figures)).toBe(figures);
  }
  expect(readableFigures('Down, Slow: firedAfterSeconds 5.3')).toBe('Down, Slow: fired after 5.3 s');
  expect(readableFigures('farthestKind pbkdf2')).toBe('farthest kind pbkdf2');
});

it('ends a row of many figures after a whole one', () => {
  const figures = Array.from({ length: 80 }, (_, index) => `row ${index}`).join(', ');
  const shown = readableFigures(figures);
  expect(shown).toMatch(/, row \d+, …$/);
  expect(shown.length).toBeLessThanOrEqual(300);
  expect(shown.length).toBeGreaterThan(290);
});
