import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { sealBearer } from './bearer.js';
import { sealPartnerSignIn, sealPartnerToken } from './partner-token.js';
import { maxTokenLength, plainToken } from './passphrase-cipher.js';
import { openToken, sealToken } from './sealed-token.js';
import { createTokenKeys } from './token-keys.js';

const keys = createTokenKeys({ secret: 'a secret of more than thirty-two bytes' });
const nowMs = 1_700_000_000_000;
const options = { nowMs, ttlSeconds: 600 };
const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };
const partnerLogin = {
  type: 'partnerLogin',
  userId: 3,
  role: 1,
  defaultPaymentId: 2,
  partnerId: null,
} as const;

describe('sealing a token', () => {
  it('makes a different token every time', () => {
    const tokens = Array.from({ length: 100 }, () => sealToken(keys, session, options));
    expect(new Set(tokens.map((each) => each.token)).size).toBe(100);
    expect(new Set(tokens.map((each) => each.tokenKey)).size).toBe(100);
  });

  it('returns the key under which the token is revoked', () => {
    const sealed = sealToken(keys, session, options);
    expect(openToken(keys, sealed.token, nowMs)).toMatchObject({
      jti: sealed.jti,
      tokenKey: sealed.tokenKey,
      expiresAtMs: sealed.expiresAtMs,
    });
  });

  it('hides the payload', () => {
    const { token } = sealToken(
      keys,
      { type: 'passwordReset', userId: 3, email: 'owner@acme.test' },
      options,
    );
    const [, claims = ''] = token.split('.');
    expect(Buffer.from(claims, 'base64url').toString()).not.toContain('acme');
  });

  it('leaves out fields that its kind does not have', () => {
    const wider = { ...session, password: 'no' };
    const { token } = sealToken(keys, wider, options);
    expect(openToken(keys, token, nowMs).payload).toEqual(session);
  });

  it('accepts 500 accounts for a partner login', () => {
    const accountIds = Array.from({ length: 500 }, (_, index) => 1_000_000 + index);
    const { token } = sealToken(keys, { ...partnerLogin, accountIds }, options);
    expect(token.length).toBeLessThanOrEqual(maxTokenLength);
    expect(openToken(keys, token, nowMs).payload).toMatchObject({ accountIds });
  });

  it('refuses to make a token that is too long to be opened', () => {
    const accountIds = Array.from({ length: 2_000 }, (_, index) => 1_000_000 + index);
    expect(() => sealToken(keys, { ...partnerLogin, accountIds }, options)).toThrow(RangeError);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the member %j', (userId) => {
    expect(() => sealToken(keys, { ...session, userId }, options)).toThrow(RangeError);
    expect(() => sealBearer(keys, { userId, role: 1, isPersonnel: false }, options)).toThrow(RangeError);
  });

  it('refuses a partner without an id', () => {
    const payload = { partnerId: '', partnerName: 'Acme' };
    expect(() => sealPartnerToken(keys, payload, { nowMs, issuer: 'gatehouse' })).toThrow(RangeError);
  });

  it.each([
    { ttlSeconds: 0 },
    { ttlSeconds: -1 },
    { ttlSeconds: 0.5 },
    { ttlSeconds: Number.NaN },
    { nowMs: 0 },
    { nowMs: Number.NaN },
  ])('refuses %j', (wrong) => {
    expect(() => sealToken(keys, session, { ...options, ...wrong })).toThrow(RangeError);
  });
});

describe('the schema of token keys', () => {
  it('refuses a secret of fewer than 32 bytes', () => {
    expect(() => createTokenKeys({ secret: 'x'.repeat(31) })).toThrow(RangeError);
    expect(() => createTokenKeys({ secret: 'é'.repeat(16) })).not.toThrow();
  });

  it('accepts a shorter previous secret, but not an empty one or one without an end', () => {
    const secret = 'x'.repeat(32);
    expect(() => createTokenKeys({ secret, previous: { secret: 'short', untilMs: nowMs } })).not.toThrow();
    expect(() => createTokenKeys({ secret, previous: { secret: '', untilMs: nowMs } })).toThrow(RangeError);
    expect(() => createTokenKeys({ secret, previous: { secret: 'short', untilMs: Number.NaN } })).toThrow(
      RangeError,
    );
  });
});

describe('the token of a partner sign-in', () => {
  const secretKey = 'acme-partner-demo-secret-0123456789';
  const signIn = {
    partner: 'acme-partner',
    userData: { id: 3, email: 'a@b.test' },
    redirectUrl: 'http://127.0.0.1:4010/',
  };

  it('can be read by a partner with jsonwebtoken and its secret', () => {
    const token = sealPartnerSignIn(secretKey, signIn, { nowMs: nowMs + 5 });
    expect(jwt.verify(token, secretKey, { algorithms: ['HS256'], clockTimestamp: nowMs / 1000 })).toEqual({
      partner: 'acme-partner',
      timestamp: nowMs + 5,
      user_data: { id: 3, email: 'a@b.test' },
      redirect_url: 'http://127.0.0.1:4010/',
      iat: nowMs / 1000,
      exp: nowMs / 1000 + 300,
    });
  });

  it('ends after five minutes', () => {
    const token = sealPartnerSignIn(secretKey, signIn, { nowMs });
    expect(() => jwt.verify(token, secretKey, { clockTimestamp: nowMs / 1000 + 300 })).toThrow('jwt expired');
  });

  it('is not made with a short secret or without a time', () => {
    expect(() => sealPartnerSignIn('x'.repeat(31), signIn, { nowMs })).toThrow(RangeError);
    expect(() => sealPartnerSignIn(secretKey, signIn, { nowMs: Number.NaN })).toThrow(RangeError);
  });
});

describe('the plain form', () => {
  it('consists of the member, the milliseconds and the member again', () => {
    expect(plainToken(42, nowMs)).toBe('42_1700000000000_42');
  });
});
