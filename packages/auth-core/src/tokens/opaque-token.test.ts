import { describe, expect, it } from 'vitest';
import { isOpaqueToken, makeOpaqueToken } from './opaque-token.js';

/** Their checksums are `zlib.crc32` of Python in base 62. */
const KNOWN = [
  'gthk_0000000000000000000000000000000003c77SU',
  'gthk_abcdefghijklmnopqrstuvwxyzABCDEFG1aOwS7',
];

describe('an opaque token', () => {
  it('has the checksum that another implementation computes', () => {
    for (const token of KNOWN) expect([token, isOpaqueToken('apiKey', token)]).toEqual([token, true]);
  });

  it('has the documented form, and no two are the same', () => {
    const tokens = Array.from({ length: 1_000 }, () => makeOpaqueToken('apiKey'));
    for (const token of tokens) {
      expect(token).toMatch(/^gthk_[0-9A-Za-z]{39}$/);
      expect(isOpaqueToken('apiKey', token)).toBe(true);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
    const digits = new Set(tokens.flatMap((token) => token.slice(5, 38).split('')));
    expect(digits.size).toBe(62);
  });

  it('is refused with any character changed, added or removed', () => {
    const token = makeOpaqueToken('apiKey');
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(isOpaqueToken('apiKey', token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
    for (const text of [`${token}0`, token.slice(0, -1), ` ${token}`, `${token}\n`, '', 'gthk_'])
      expect(isOpaqueToken('apiKey', text)).toBe(false);
  });
});
