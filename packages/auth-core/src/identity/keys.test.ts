import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailKey } from './email-key.js';
import { searchKey } from './search-key.js';
import { usernameKey } from './username-key.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('the e-mail key', () => {
  it.each([
    ['Owner@Acme.Test', 'owner@acme.test'],
    ['  owner@acme.test\t ', 'owner@acme.test'],
    ['owner＠acme.test', 'owner@acme.test'],
    ['ｏｗｎｅｒ@ａｃｍｅ．ｔｅｓｔ', 'owner@acme.test'],
    ['ﬁ@acme.test', 'fi@acme.test'],
    ['ΣΟΦΟΣ@acme.test', 'σοφοσ@acme.test'],
    ['zoe\u0308@acme.test', 'zoë@acme.test'],
    ['H\u0331@acme.test', '\u1e96@acme.test'],
  ])('of %j is %j', (text, key) => {
    expect(emailKey(text)).toBe(key);
  });

  it('keeps accents: two people may differ by one', () => {
    expect(emailKey('zoë@acme.test')).not.toBe(emailKey('zoe@acme.test'));
  });

  it('of a key is that key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(emailKey(emailKey(text))).toBe(emailKey(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the case of what lower case can undo', () => {
    const letters = fc.stringMatching(/^[abcxyzäöüéèñçøåабвгджяαβγδςσω0-9.+_-]*$/);
    fc.assert(
      fc.property(letters, (text) => {
        expect(emailKey(text.toUpperCase())).toBe(emailKey(text));
      }),
    );
  });
});

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

  it('of a key is that key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(usernameKey(usernameKey(text))).toBe(usernameKey(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for every way of writing one text', () => {
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
  it('finds a name whatever its case, width and accents, and leaves wildcards alone', () => {
    expect(searchKey('ZOË')).toBe(searchKey('zoe'));
    expect(searchKey('50%_\\')).toBe('50%_\\');
  });
});
