import { describe, expect, it } from 'vitest';
import { createProgressBar } from './progress-bar.js';

function barOver(total: number) {
  const drawn: string[] = [];
  const said: string[] = [];
  let now = 0;
  const bar = createProgressBar({
    title: 'members',
    total,
    draw: (line) => void drawn.push(line),
    say: (line) => void said.push(line),
    monotonicNow: () => now,
  });
  return {
    drawn,
    said,
    advance(count: number, ms: number) {
      now += ms;
      bar.advance(count);
    },
  };
}

describe('a progress bar', () => {
  it('shows part, count, speed and the time left', () => {
    const { drawn, advance } = barOver(1_000_000);
    advance(250_000, 10_000);
    expect(drawn).toEqual([
      'members ████████░░░░░░░░░░░░░░░░░░░░░░ 25 %  250,000 of 1,000,000  25,000/s  0:30 left',
    ]);
  });

  it('is drawn at most five times a second, and printed once when all is done', () => {
    const { drawn, said, advance } = barOver(1_000);
    for (let step = 0; step < 1_000; step += 1) advance(1, 1);
    expect(drawn.length).toBeLessThanOrEqual(6);
    expect(said).toEqual([
      'members ██████████████████████████████ 100 %  1,000 of 1,000  1,000/s  took 0:01',
    ]);
  });
});
