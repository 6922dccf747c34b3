import { AES } from 'crypto-js';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import {
  KNOWN_ACTIVATION,
  KNOWN_BEARER,
  KNOWN_NOW_MS,
  KNOWN_PARTNER,
  KNOWN_SEALED,
  KNOWN_SECRET,
  KNOWN_TOKENS,
} from '../../test/known-tokens.js';
import { observedSystem } from '../../test/observed-system.js';
import { opensslCipher } from '../../test/openssl-cipher.js';
import { openBearer, sealBearer } from './bearer.js';
import { openPartnerToken } from './partner-token.js';
import { decryptWithPassphrase, encryptWithPassphrase } from './passphrase-cipher.js';
import { openToken, sealToken, type TokenPayload } from './sealed-token.js';
import { createTokenKeys } from './token-keys.js';

const keys = createTokenKeys({ secret: KNOWN_SECRET });

describe('the reader of tokens that others made', () => {
  it.each(Object.entries(KNOWN_TOKENS))('opens the known session of %s', (_, known) => {
    expect(openToken(keys, known.token, KNOWN_NOW_MS)).toMatchObject({
      kind: 'session',
      payload: known.payload,
      tokenKey: known.tokenKey,
      issuedAtMs: 1_700_000_000_000,
      expiresAtMs: 1_700_604_800_000,
    });
  });

  it('opens the known activation token', () => {
    expect(openToken(keys, KNOWN_ACTIVATION, KNOWN_NOW_MS)).toMatchObject({
      kind: 'emailVerification',
      payload: { userId: 45, email: null },
    });
  });

  it('opens the known bearer, which has no token id', () => {
    expect(openBearer(keys, KNOWN_BEARER.token, KNOWN_NOW_MS)).toEqual({
      kind: 'bearer',
      payload: { userId: 42, role: 1, isPersonnel: true },
      jti: null,
      tokenKey: KNOWN_BEARER.tokenKey,
      issuedAtMs: 1_700_000_000_000,
      expiresAtMs: 1_700_604_800_000,
    });
  });

  it('opens the known partner token', () => {
    expect(openPartnerToken(keys, KNOWN_PARTNER, KNOWN_NOW_MS, { issuer: 'known-issuer' })).toMatchObject({
      kind: 'partner',
      payload: { partnerId: 1, partnerName: 'Acme' },
      expiresAtMs: 1_700_003_600_000,
    });
  });

  it('opens any session that jsonwebtoken and crypto-js make, with any secret', () => {
    fc.assert(
      fc.property(anySecret, anySession, (secret, payload) => {
        const token = observedSystem.seal(payload, secret, { exp: 1_700_604_800 });
        const opened = openToken(createTokenKeys({ secret }), token, KNOWN_NOW_MS);
        expect(opened).toMatchObject({ kind: 'session', payload, jti: null });
      }),
      { numRuns: 60 },
    );
  });

  it("accepts the few claims that the replaced system's registration puts into a token", () => {
    const token = observedSystem.seal({ userId: 9, defaultPaymentId: 2 }, KNOWN_SECRET);
    expect(openToken(keys, token, KNOWN_NOW_MS).payload).toEqual({
      userId: 9,
      role: null,
      defaultPaymentId: 2,
      accountId: null,
      isPersonnel: false,
    });
  });

  it('accepts a staff flag in each form that databases write', () => {
    const token = observedSystem.seal({ userId: 9, isPersonnel: 1 }, KNOWN_SECRET);
    expect(openToken(keys, token, KNOWN_NOW_MS).payload).toMatchObject({ isPersonnel: true });
  });

  it('accepts a time with a fraction', () => {
    const token = observedSystem.seal({ userId: 9 }, KNOWN_SECRET, {
      iat: 1_700_000_000.25,
      exp: 1_700_000_200.75,
    });
    expect(openToken(keys, token, KNOWN_NOW_MS)).toMatchObject({
      issuedAtMs: 1_700_000_000_250,
      expiresAtMs: 1_700_000_200_750,
    });
  });

  it('treats a token without an issue time as the oldest possible', () => {
    const token = jwt.sign(
      { data: AES.encrypt('{"userId":9}', KNOWN_SECRET).toString(), exp: 4e9 },
      KNOWN_SECRET,
      {
        noTimestamp: true,
      },
    );
    expect(openToken(keys, token, KNOWN_NOW_MS).issuedAtMs).toBe(0);
  });
});

describe('tokens made here', () => {
  it('match the known answers byte for byte', () => {
    const sealed = sealToken(keys, KNOWN_TOKENS.openssl.payload, {
      nowMs: 1_700_000_000_999,
      ttlSeconds: 600,
      random: () => Buffer.from(KNOWN_SEALED.salt, 'hex'),
      jti: KNOWN_SEALED.jti,
    });
    expect(sealed.token).toBe(KNOWN_SEALED.token);
    expect(sealed.expiresAtMs).toBe(1_700_000_600_000);
  });

  it('open with jsonwebtoken and crypto-js, whatever the kind', () => {
    fc.assert(
      fc.property(anySecret, anyPayload, (secret, payload) => {
        const { token } = sealToken(createTokenKeys({ secret }), payload, {
          nowMs: KNOWN_NOW_MS,
          ttlSeconds: 600,
        });
        expect(observedSystem.open(token, secret, KNOWN_NOW_MS)).toEqual(payload);
      }),
      { numRuns: 60 },
    );
  });

  it('carry a random token id of 128 bits, the issue time, the expiry, and nothing else in the clear', () => {
    const sealed = sealToken(keys, KNOWN_TOKENS.openssl.payload, { nowMs: KNOWN_NOW_MS, ttlSeconds: 600 });
    const claims = jwt.verify(sealed.token, KNOWN_SECRET, { clockTimestamp: 1_700_000_100 });
    expect(claims).toMatchObject({ jti: sealed.jti, iat: 1_700_000_100, exp: 1_700_000_700 });
    expect(Object.keys(claims)).toEqual(['data', 'jti', 'iat', 'exp']);
    expect(sealed.jti).toMatch(/^[0-9a-f]{32}$/);
  });

  it('include bearers that jsonwebtoken reads', () => {
    const payload = { userId: 3, role: 1, isPersonnel: false };
    const sealed = sealBearer(keys, payload, { nowMs: KNOWN_NOW_MS, ttlSeconds: 600 });
    expect(jwt.verify(sealed.token, KNOWN_SECRET, { clockTimestamp: 1_700_000_100 })).toEqual({
      ...payload,
      jti: sealed.jti,
      iat: 1_700_000_100,
      exp: 1_700_000_700,
    });
  });
});

describe('the passphrase cipher', () => {
  it('agrees with the cipher of OpenSSL, both ways, on any text', () => {
    fc.assert(
      fc.property(anySecret, anyText, fc.uint8Array({ minLength: 8, maxLength: 8 }), (secret, text, salt) => {
        const sealed = opensslCipher.seal(text, secret, Buffer.from(salt));
        expect(encryptWithPassphrase(text, secret, Buffer.from(salt))).toBe(sealed);
        expect(decryptWithPassphrase(sealed, secret)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('reads only what it writes: no other base64, prefix or length', () => {
    const sealed = encryptWithPassphrase('{"userId":1}', KNOWN_SECRET, Buffer.alloc(8, 255));
    expect(decryptWithPassphrase(sealed, KNOWN_SECRET)).toBe('{"userId":1}');
    for (const other of [
      '',
      sealed.replace(/=+$/, ''),
      sealed.slice(0, 24),
      `${sealed} `,
      sealed.replace('U2FsdGVk', 'U2FsdGVl'),
      sealed.replaceAll('+', '-').replaceAll('/', '_'),
      Buffer.from(sealed, 'base64').subarray(0, -1).toString('base64'),
    ])
      expect([other, decryptWithPassphrase(other, KNOWN_SECRET)]).toEqual([other, undefined]);
  });
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
const anySecret = fc.string({ unit: 'grapheme', minLength: 32, maxLength: 80 });
const anyId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const anySession = fc.record({
  userId: anyId,
  role: fc.integer({ min: 0, max: 20 }),
  defaultPaymentId: fc.option(fc.integer({ min: 0, max: 9 })),
  accountId: fc.option(anyId),
  isPersonnel: fc.boolean(),
});
const anyPayload: fc.Arbitrary<TokenPayload> = fc.oneof(
  anySession,
  fc.record({ type: fc.constant('socialLogin' as const), userId: anyId, provider: fc.option(anyText) }),
  fc.record({
    type: fc.constant('partnerLogin' as const),
    userId: anyId,
    role: fc.option(fc.integer({ min: 0, max: 20 })),
    defaultPaymentId: fc.option(fc.integer()),
    accountIds: fc.array(anyId),
    partnerId: fc.option(anyId),
  }),
  fc.record({ type: fc.constant('emailVerification' as const), userId: anyId, email: fc.option(anyText) }),
  fc.record({ type: fc.constant('passwordReset' as const), userId: anyId, email: fc.option(anyText) }),
);
