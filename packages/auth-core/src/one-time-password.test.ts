import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  digestOneTimePassword,
  generateOneTimePassword,
  matchesOneTimePassword,
} from './one-time-password.js';

const context = { memberId: 3, emailKey: 'a@x.test', secret: 'a secret of more than thirty-two bytes' };
const digest = digestOneTimePassword('0a1b2c', context);

describe('a one-time password', () => {
  it('is three random bytes in hexadecimal', () => {
    expect(generateOneTimePassword(() => Buffer.from([0, 0xab, 0xff]))).toBe('00abff');
    const made = Array.from({ length: 200 }, () => generateOneTimePassword());
    expect(made.every((each) => /^[0-9a-f]{6}$/.test(each))).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(190);
  });

  it.each(['0a1b2c', '0A1B2C', ' 0a1b2c', '0a1b2c \n', '0a1 b2c'])(
    'matches itself as %j, whatever its case and its blanks',
    (submitted) => {
      expect(matchesOneTimePassword(submitted, digest, context)).toBe(true);
    },
  );

  it('does not match for another member or under another secret', () => {
    expect(matchesOneTimePassword('0a1b2c', digest, { ...context, memberId: 4 })).toBe(false);
    expect(matchesOneTimePassword('0a1b2c', digest, { ...context, emailKey: 'b@x.test' })).toBe(false);
    expect(matchesOneTimePassword('0a1b2c', digest, { ...context, secret: 'another' })).toBe(false);
  });

  it.each([0, '', null, undefined, true, [], {}, ['0a1b2c'], 0x0a1b2c, '0a1b2', '0a1b2c\0', digest])(
    'is not matched by %j',
    (submitted) => {
      expect(matchesOneTimePassword(submitted, digest, context)).toBe(false);
    },
  );

  it('matches nothing when none is stored', () => {
    expect(matchesOneTimePassword('0a1b2c', '', context)).toBe(false);
    expect(matchesOneTimePassword('', '', context)).toBe(false);
  });

  it.each(['', 'x', '0a1b2c3', 'zzzzzz'])(
    'is never matched by %j, even when the digest of that is stored',
    (text) => {
      expect(matchesOneTimePassword(text, digestOneTimePassword(text, context), context)).toBe(false);
    },
  );

  it('is matched by no other one-time password', () => {
    const anyOther = fc.integer({ min: 0, max: 0xffffff }).map((each) => each.toString(16).padStart(6, '0'));
    fc.assert(
      fc.property(
        anyOther.filter((each) => each !== '0a1b2c'),
        (other) => {
          expect(matchesOneTimePassword(other, digest, context)).toBe(false);
        },
      ),
    );
  });

  it('cannot be derived from its digest without the secret', () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digest).not.toBe(digestOneTimePassword('0a1b2c', { ...context, secret: 'another' }));
  });
});
