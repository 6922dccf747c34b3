import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/refusal-of.js';
import { signRaw } from '../../test/sign-raw.js';
import {
  bearerRefusal,
  encryptedText,
  good,
  goodBearer,
  goodPartner,
  keys,
  now,
  nowMs,
  partnerRefusal,
  refusal,
  sealed,
  secret,
} from '../../test/token-samples.js';
import { openToken } from './sealed-token.js';

describe('the check of tampered tokens', () => {
  it.each([
    ['session', good.token, refusal],
    ['bearer', goodBearer.token, bearerRefusal],
    ['partner', goodPartner.token, partnerRefusal],
  ])('refuses a %s token with any single bit flipped', (_, token, open) => {
    const bytes = Buffer.from(token);
    const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return open(flipped.toString('latin1'));
    }).filter((each) => each === 'opened');
    expect(opened).toEqual([]);
  });

  it('refuses a single bit flipped anywhere in the decoded segments', () => {
    const segments = good.token.split('.').map((each) => Buffer.from(each, 'base64url'));
    for (const [index, bytes] of segments.entries()) {
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const token = segments
          .map((each, at) => (at === index ? flipped : each).toString('base64url'))
          .join('.');
        expect(refusal(token)).not.toBe('opened');
      }
    }
  });

  it('refuses every prefix, and every missing or doubled character', () => {
    for (let at = 0; at < good.token.length; at++) {
      const [before, after] = [good.token.slice(0, at), good.token.slice(at)];
      expect(refusal(before)).not.toBe('opened');
      expect(refusal(before + after.slice(1))).not.toBe('opened');
      expect(refusal(before + after.charAt(0) + after)).not.toBe('opened');
    }
  });

  it('refuses other spellings of the same bytes', () => {
    const [header = '', payload = '', signature = ''] = good.token.split('.');
    const spellings = [
      ` ${good.token}`,
      `${good.token} `,
      `${good.token}\n`,
      `${good.token}=`,
      `${good.token}.`,
      `${header}=.${payload}.${signature}`,
      `${header}.${payload}==.${signature}`,
      `${header}.${payload}\n.${signature}`,
      `${header}.${payload}.${signature}\0`,
      `Bearer ${good.token}`,
      ...otherLastCharacters(signature).map((each) => `${header}.${payload}.${each}`),
    ];
    expect(spellings.map((each) => refusal(each)).filter((each) => each === 'opened')).toEqual([]);
  });

  it('throws only refusals for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 300 }),
      fc.tuple(fc.jsonValue(), fc.jsonValue()).map(([header, payload]) => signRaw(header, payload, secret)),
      fc.jsonValue().map((payload) => signRaw({ alg: 'HS256', typ: 'JWT' }, payload, secret)),
      fc.jsonValue().map((data) => signRaw({ alg: 'HS256' }, { data, exp: now + 60 }, secret)),
      fc.base64String().map((data) => signRaw({ alg: 'HS256', typ: 'JWT' }, { data, exp: now + 60 }, secret)),
      fc
        .jsonValue()
        .filter((payload) => !isSessionLike(payload))
        .map(sealed),
      fc.string().map((text) => encryptedText(text)),
    );
    fc.assert(
      fc.property(anything, (token) => {
        expect([refusal(token), bearerRefusal(token), partnerRefusal(token)]).not.toContain('opened');
      }),
      { numRuns: 1500 },
    );
  });

  it.each([undefined, null, 0, true, {}, [], ['a.b.c'], Buffer.from('a.b.c')])(
    'refuses %s, which is not text',
    (token) => {
      expect(refusalOf(() => Reflect.apply(openToken, undefined, [keys, token, nowMs]))).toBe('malformed');
    },
  );

  it('refuses 12 kB and more before any other work', () => {
    expect(refusal('a'.repeat(12_000))).toBe('malformed');
    expect(refusal(signRaw({ alg: 'HS256' }, { data: 'a'.repeat(9_000), exp: now + 60 }, secret))).toBe(
      'malformed',
    );
    const startedAt = performance.now();
    for (let round = 0; round < 1_000; round++) refusal(`${'a'.repeat(1_000_000)}.${round}.`);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

function otherLastCharacters(signature: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from(alphabet)
    .map((each) => signature.slice(0, -1) + each)
    .filter((each) => each !== signature);
}

function isSessionLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'userId' in value;
}
