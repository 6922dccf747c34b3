import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDataCipher, SealedDataRefused } from './data-cipher.js';
import { randomId, sha256Hex, timingSafeEqualText } from './random-and-digest.js';

const key = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');
const cipher = createDataCipher({ key });
const context = 'socialConnection:7:accessToken';

describe('the data cipher', () => {
  it('decrypts any text that it encrypted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        expect(cipher.open(cipher.seal(text, place), place)).toBe(text);
      }),
    );
  });

  it('is AES-256-GCM, as anybody with the key can verify', () => {
    const [version = '', keyId = '', body = ''] = cipher.seal('provider token', context).split('.');
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32, 7), bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(`${version}.${keyId}.${context}`));
    decipher.setAuthTag(bytes.subarray(12, 28));
    expect(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()).toBe(
      'provider token',
    );
    expect(version).toBe('v1');
  });

  it('never encrypts a text the same way twice', () => {
    const sealed = Array.from({ length: 100 }, () => cipher.seal('provider token', context));
    expect(new Set(sealed).size).toBe(100);
    expect(sealed.join()).not.toContain('provider');
  });

  it('refuses a value under another context, so that values cannot be swapped', () => {
    const sealed = cipher.seal('provider token', context);
    for (const other of [
      '',
      'socialConnection:8:accessToken',
      'socialConnection:7:refreshToken',
      `${context} `,
    ]) {
      expect(() => cipher.open(sealed, other)).toThrow(SealedDataRefused);
    }
  });

  it('refuses a value with any single bit flipped', () => {
    const [version = '', keyId = '', body = ''] = cipher.seal('provider token', context).split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const sealed = `${version}.${keyId}.${flipped.toString('base64url')}`;
      expect(() => cipher.open(sealed, context)).toThrow(SealedDataRefused);
    }
  });

  it('refuses anything that is not encrypted, with no other effect', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.base64String().map((body) => `v1.${cipher.seal('', '').split('.')[1]}.${body}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(() => cipher.open(text, context)).toThrow(SealedDataRefused);
      }),
    );
    for (const text of ['', 'v1', 'v1..', 'provider token', cipher.seal('x', context).replace('v1', 'v2')]) {
      expect(() => cipher.open(text, context)).toThrow(SealedDataRefused);
    }
  });

  it('decrypts with a previous key, and reports that the value should be encrypted again with the new one', () => {
    const old = createDataCipher({ key: otherKey }).seal('provider token', context);
    const rotated = createDataCipher({ key, previous: [otherKey] });
    expect(rotated.open(old, context)).toBe('provider token');
    expect(rotated.isCurrent(old)).toBe(false);
    expect(rotated.isCurrent(rotated.seal('provider token', context))).toBe(true);
    expect(rotated.isCurrent('provider token')).toBe(false);
    expect(() => cipher.open(old, context)).toThrow(SealedDataRefused);
  });

  it.each(['', 'short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
    'refuses the key %j',
    (wrong) => {
      expect(() => createDataCipher({ key: wrong })).toThrow(RangeError);
      expect(() => createDataCipher({ key, previous: [wrong] })).toThrow(RangeError);
    },
  );
});

describe('the cryptographic functions', () => {
  it('compute SHA-256 as published', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const bytes = randomBytes(100);
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('find texts equal only when they are equal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        expect(timingSafeEqualText(left, right)).toBe(left === right);
        expect(timingSafeEqualText(left, left)).toBe(true);
      }),
    );
    expect(timingSafeEqualText('\ud800', '\ud801')).toBe(false);
    expect(timingSafeEqualText('', '')).toBe(true);
  });

  it('make identifiers of 128 random bits', () => {
    const ids = Array.from({ length: 1_000 }, () => randomId());
    expect(ids.every((each) => /^[0-9a-f]{32}$/.test(each))).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
    expect(randomId(4)).toMatch(/^[0-9a-f]{8}$/);
  });
});
