import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadSpacing } from './read-spacing.js';

describe('the spacing of reads', () => {
  let nowMs = 1_000;

  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('lets a read of several callers begin an interval after the one before, never later', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    expect(spacing.pauseBefore(5)).toBe(0);
    spacing.began(5);
    expect(spacing.pauseBefore(1)).toBe(2);
    nowMs += 1.5;
    expect(spacing.pauseBefore(1)).toBe(1);
    nowMs += 0.5;
    expect(spacing.pauseBefore(5)).toBe(0);
  });

  it('never lets a lone caller wait: not after an idle while, and not one who calls again and again', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    spacing.began(5);
    nowMs += 2;
    for (let call = 0; call < 10; call += 1) {
      expect(spacing.pauseBefore(1)).toBe(0);
      spacing.began(1);
      nowMs += 0.1;
    }
  });

  it('goes without a pause for a while after one that brought nobody', () => {
    const spacing = createReadSpacing();
    spacing.spaceReads(2);
    spacing.began(4);
    spacing.paused(4, 5);
    expect(spacing.pauseBefore(4)).toBe(2);
    spacing.paused(4, 4);
    for (let read = 0; read < 8; read += 1) expect(spacing.pauseBefore(4)).toBe(0);
    expect(spacing.pauseBefore(4)).toBe(2);
  });

  it('never pauses without an interval', () => {
    const spacing = createReadSpacing();
    spacing.began(5);
    expect(spacing.pauseBefore(5)).toBe(0);
  });
});
