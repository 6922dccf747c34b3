import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchKey } from './text-schemas.js';
import { usernameKey } from './username.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('the username key', () => {
  it.each([
    ['Zoë', 'zoe'],
    ['ZOE\u0308\u0323', 'zoe'],
    ['ｚｏｅ', 'zoe'],
    ['zoe  ', 'zoe'],
    ['z  o\u00a0\u3000e', 'z o e'],
    ['Ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
    ['İstanbul', 'istanbul'],
    ['zoe\u3164', 'zoe'],
    ['\u115fz\u2800o\u{16fe4}e\uffa0', 'zoe'],
    ['z\u200bo\u00ad\u2060e \u3164', 'zoe'],
    ['zoe ❤\ufe0f', 'zoe ❤'],
    ['\u3164', ''],
  ])('of %j is %j', (text, key) => {
    expect(usernameKey(text)).toBe(key);
  });

  it('keeps vowel signs that are letters of their script', () => {
    expect(usernameKey('राम')).not.toBe(usernameKey('रम'));
  });

  it('does not change when it is computed again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(usernameKey(usernameKey(text))).toBe(usernameKey(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for every Unicode form of a text', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        expect(usernameKey(text.normalize(form))).toBe(usernameKey(text));
        expect(usernameKey(` ${text} `)).toBe(usernameKey(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the search key', () => {
  it('ignores the case, width and accents of a name, and leaves wildcards alone', () => {
    expect(searchKey('ZOË')).toBe(searchKey('zoe'));
    expect(searchKey('50%_\\')).toBe('50%_\\');
  });
});
