import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTextAfter } from './match-text.js';

const text = fc.string({ unit: 'binary' });

/** UTF-8 orders texts like their code points. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('firstTextAfter', () => {
  it('follows every text with that beginning, and precedes every greater one', () => {
    fc.assert(
      fc.property(text, text, (begin, other) => {
        const end = firstTextAfter(begin);
        const isBefore = (each: string) => end === undefined || compare(each, end) < 0;
        expect(isBefore(begin + other)).toBe(true);
        if (compare(other, begin) > 0 && !other.startsWith(begin)) expect(isBefore(other)).toBe(false);
      }),
    );
  });

  it('skips surrogates, and knows when no greater text exists', () => {
    expect(firstTextAfter('a\u{d7ff}')).toBe('a\u{e000}');
    expect(firstTextAfter('a\u{10ffff}')).toBe('b');
    expect(firstTextAfter('\u{10ffff}')).toBeUndefined();
    expect(firstTextAfter('')).toBeUndefined();
  });
});
