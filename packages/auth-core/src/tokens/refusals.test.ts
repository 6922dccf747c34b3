import { AES } from 'crypto-js';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { observedSystem } from '../../test/observed-system.js';
import { refusalOf } from '../../test/refusal-of.js';
import { signRaw } from '../../test/sign-raw.js';
import {
  bearerRefusal,
  encryptedText,
  good,
  keys,
  now,
  nowMs,
  partnerRefusal,
  refusal,
  sealed,
  secret,
  session,
} from '../../test/token-samples.js';
import { openBearer } from './bearer.js';
import { openToken, sealToken } from './sealed-token.js';
import { createTokenKeys } from './token-keys.js';

const previousSecret = 'old';

describe('the check of times', () => {
  const data = AES.encrypt(JSON.stringify(session), secret).toString();

  it('refuses a token whose expiry is missing or is not a time', () => {
    expect(refusal(signRaw({ alg: 'HS256' }, { data }, secret))).toBe('expiry_missing');
    for (const exp of [
      '"4000000000"',
      'null',
      'true',
      '[4000000000]',
      '{}',
      '1e309',
      '-1',
      '0',
      '1e300',
      '9e15',
    ]) {
      expect(refusal(signRaw({ alg: 'HS256' }, `{"data":"${data}","exp":${exp}}`, secret))).toBe('claims');
    }
    expect(bearerRefusal(signRaw({ alg: 'HS256' }, { userId: 3 }, secret))).toBe('expiry_missing');
    expect(
      partnerRefusal(
        jwt.sign({ partnerId: 1, partnerName: 'A' }, secret, {
          issuer: 'gatehouse',
          audience: 'partner-auth',
        }),
      ),
    ).toBe('expiry_missing');
  });

  it('opens a token until the last millisecond before its end', () => {
    expect(refusal(good.token, good.expiresAtMs - 1)).toBe('opened');
    expect(refusal(good.token, good.expiresAtMs)).toBe('expired');
    expect(refusal(good.token, good.expiresAtMs + 86_400_000)).toBe('expired');
  });

  it('refuses a token before its not-before time', () => {
    const early = signRaw({ alg: 'HS256' }, { data, nbf: now + 10, exp: now + 60 }, secret);
    expect(refusal(early)).toBe('not_yet_valid');
    expect(refusal(early, nowMs + 10_000)).toBe('opened');
  });

  it('refuses every token when no current time is given', () => {
    expect(refusal(good.token, Number.NaN)).toBe('expired');
  });

  it.each([{ iat: 'yesterday' }, { iat: null }, { nbf: '0' }, { jti: 5 }, { jti: '' }, { jti: null }])(
    'refuses the claim %j',
    (claim) => {
      expect(refusal(signRaw({ alg: 'HS256' }, { data, exp: now + 60, ...claim }, secret))).toBe('claims');
    },
  );
});

describe('the check of payloads', () => {
  it.each([
    'session',
    'SocialLogin',
    'social',
    'bearer',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    '',
    ' passwordReset',
    null,
    0,
    false,
    {},
    ['socialLogin'],
  ])('refuses the unknown type %j', (type) => {
    expect(refusal(sealed({ ...session, type }))).toBe('unknown_kind');
  });

  it.each([null, 1, 'text', true, [], [session], {}, { role: 0 }])(
    'refuses %j, which names no member',
    (payload) => {
      expect(refusal(sealed(payload))).toBe('payload');
    },
  );

  it.each([0, -1, 1.5, 2 ** 53, '3', null, true, [3], { id: 3 }])('refuses the member %j', (userId) => {
    expect(refusal(sealed({ ...session, userId }))).toBe('payload');
    expect(bearerRefusal(jwt.sign({ userId, exp: now + 60 }, secret))).toBe('payload');
  });

  it('ignores keys that are special in JavaScript', () => {
    const text = '{"userId":3,"__proto__":{"isPersonnel":true},"constructor":{"prototype":{"role":0}}}';
    const opened = openToken(keys, encryptedText(text), nowMs);
    expect(opened.payload).toEqual({
      userId: 3,
      role: null,
      defaultPaymentId: null,
      accountId: null,
      isPersonnel: false,
    });
  });

  it.each(['', '{', 'undefined', '{"userId":3', "{'userId':3}"])('refuses the decrypted text %j', (text) => {
    expect(refusal(encryptedText(text))).toBe('undecryptable');
  });

  it('refuses data encrypted with another secret, cut, or not encrypted at all', () => {
    const data = AES.encrypt(JSON.stringify(session), secret).toString();
    const bad = [
      AES.encrypt(JSON.stringify(session), 'another').toString(),
      data.slice(4),
      data.slice(0, -4),
      data.slice(0, 24),
      `${data}AAAA`,
      ` ${data}`,
      data.replace('U2Fsd', 'u2Fsd'),
      JSON.stringify(session),
      Buffer.from(JSON.stringify(session)).toString('base64'),
      '',
    ];
    for (const each of bad) {
      expect(refusal(signRaw({ alg: 'HS256' }, { data: each, exp: now + 60 }, secret))).toBe('undecryptable');
    }
  });

  it.each([undefined, null, 5, {}, ['U2FsdGVkX18=']])('refuses the data %j', (data) => {
    expect(refusal(signRaw({ alg: 'HS256' }, { data, exp: now + 60 }, secret))).toBe('claims');
  });

  it('refuses claims that are not an object', () => {
    for (const claims of ['null', '[]', '"text"', '5', 'true']) {
      expect(['claims', 'signature']).toContain(refusal(signRaw({ alg: 'HS256' }, claims, secret)));
      expect(['claims', 'signature']).toContain(
        refusal(signRaw({ alg: 'HS256', typ: 'JWT' }, claims, secret)),
      );
    }
  });
});

describe('the check of bearers and partner tokens', () => {
  it.each([
    { data: 'x' },
    { iss: 'gatehouse' },
    { aud: 'partner-auth' },
    { aud: null },
    { type: 'x' },
    { partnerId: 1 },
  ])('refuses a bearer with the claim %j', (claim) => {
    expect(bearerRefusal(signRaw({ alg: 'HS256' }, { userId: 3, exp: now + 60, ...claim }, secret))).toBe(
      'wrong_kind',
    );
  });

  it.each([
    { iss: 'another' },
    { iss: undefined },
    { iss: ['gatehouse'] },
    { aud: 'another' },
    { aud: undefined },
    { aud: ['partner-auth', 'another'] },
    { aud: 'Partner-Auth' },
  ])('refuses a partner token with %j', (claim) => {
    const claims = {
      partnerId: 1,
      partnerName: 'Acme',
      iss: 'gatehouse',
      aud: 'partner-auth',
      exp: now + 60,
    };
    expect(partnerRefusal(signRaw({ alg: 'HS256' }, claims, secret))).toBe('opened');
    expect(partnerRefusal(signRaw({ alg: 'HS256' }, { ...claims, ...claim }, secret))).toBe('wrong_issuer');
  });

  it('refuses a partner token with an encrypted payload', () => {
    const data = AES.encrypt(JSON.stringify(session), secret).toString();
    const claims = {
      partnerId: 1,
      partnerName: 'Acme',
      iss: 'gatehouse',
      aud: 'partner-auth',
      exp: now + 60,
    };
    expect(partnerRefusal(signRaw({ alg: 'HS256' }, { ...claims, data }, secret))).toBe('wrong_kind');
  });

  it.each([{ partnerId: 0 }, { partnerId: '' }, { partnerId: null }, { partnerName: 5 }])(
    'refuses a partner token with %j',
    (claim) => {
      const claims = {
        partnerId: 1,
        partnerName: 'Acme',
        iss: 'gatehouse',
        aud: 'partner-auth',
        exp: now + 60,
      };
      expect(partnerRefusal(signRaw({ alg: 'HS256' }, { ...claims, ...claim }, secret))).toBe('payload');
    },
  );
});

describe('the previous secret', () => {
  const untilMs = nowMs + 60_000;
  const rotated = createTokenKeys({ secret, previous: { secret: previousSecret, untilMs } });
  const old = observedSystem.seal(session, previousSecret);
  const oldBearer = jwt.sign({ userId: 3, exp: 4e9 }, previousSecret);

  it('opens and decrypts tokens until its end, and not afterwards', () => {
    expect(openToken(rotated, old, untilMs - 1).payload).toEqual(session);
    expect(refusalOf(() => openToken(rotated, old, untilMs))).toBe('signature');
    expect(refusalOf(() => openBearer(rotated, oldBearer, untilMs - 1))).toBe('opened');
    expect(refusalOf(() => openBearer(rotated, oldBearer, untilMs))).toBe('signature');
  });

  it('signs no token', () => {
    const { token } = sealToken(rotated, session, { nowMs, ttlSeconds: 600 });
    expect(refusal(token)).toBe('opened');
    expect(() => observedSystem.open(token, previousSecret, nowMs)).toThrow('invalid signature');
  });

  it('does not decrypt a token that the current secret signed', () => {
    const data = AES.encrypt(JSON.stringify(session), previousSecret).toString();
    const mixed = signRaw({ alg: 'HS256' }, { data, exp: now + 60 }, secret);
    expect(refusalOf(() => openToken(rotated, mixed, nowMs))).toBe('undecryptable');
  });
});
