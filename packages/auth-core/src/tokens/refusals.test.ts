import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { AES } from 'crypto-js';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { observedSystem } from '../../test/observed-system.js';
import { refusalOf } from '../../test/refusal-of.js';
import { segment, signRaw } from '../../test/sign-raw.js';
import { openBearer, sealBearer } from './bearer.js';
import { openToken } from './open-token.js';
import { openPartnerToken, sealPartnerToken } from './partner-token.js';
import { sealToken } from './seal-token.js';
import { createTokenKeys } from './token-keys.js';

const secret = 'a secret of more than thirty-two bytes';
const previousSecret = 'old';
const keys = createTokenKeys({ secret });
const nowMs = 1_700_000_000_000;
const now = nowMs / 1000;
const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };
const good = sealToken(keys, session, { nowMs, ttlSeconds: 600 });
const goodBearer = sealBearer(keys, { userId: 3, role: 1, isPersonnel: false }, { nowMs, ttlSeconds: 600 });
const goodPartner = sealPartnerToken(
  keys,
  { partnerId: 1, partnerName: 'Acme' },
  { nowMs, issuer: 'gatehouse' },
);

const refusal = (token: string, atMs = nowMs) => refusalOf(() => openToken(keys, token, atMs));
const bearerRefusal = (token: string, atMs = nowMs) => refusalOf(() => openBearer(keys, token, atMs));
const partnerRefusal = (token: string, atMs = nowMs) =>
  refusalOf(() => openPartnerToken(keys, token, atMs, { issuer: 'gatehouse' }));

const sealed = (payload: unknown) => observedSystem.seal(payload, secret);

describe('changed tokens', () => {
  it.each([
    ['session', good.token, refusal],
    ['bearer', goodBearer.token, bearerRefusal],
    ['partner', goodPartner.token, partnerRefusal],
  ])('refuses every flip of one bit in a %s token', (_, token, open) => {
    const bytes = Buffer.from(token);
    const opened = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return open(flipped.toString('latin1'));
    }).filter((each) => each === 'opened');
    expect(opened).toEqual([]);
  });

  it('refuses every flip of one bit inside the decoded segments', () => {
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

  it('refuses every prefix, every missing character and every doubled one', () => {
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

  it('throws nothing but a refusal, whatever it is given', () => {
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
    'refuses %s, which is no text',
    (token) => {
      expect(refusalOf(() => Reflect.apply(openToken, undefined, [keys, token, nowMs]))).toBe('malformed');
    },
  );

  it('refuses 12 kB and more before any work', () => {
    expect(refusal('a'.repeat(12_000))).toBe('malformed');
    expect(refusal(signRaw({ alg: 'HS256' }, { data: 'a'.repeat(9_000), exp: now + 60 }, secret))).toBe(
      'malformed',
    );
    // Reading this much would take minutes, and end this with its time-out.
    for (let round = 0; round < 50_000; round++) refusal(`${'a'.repeat(1_000_000)}.${round}.`);
  });
});

describe('algorithms and headers', () => {
  const claims = { data: AES.encrypt(JSON.stringify(session), secret).toString(), exp: now + 60 };

  it('refuses a token without a signature', () => {
    const input = `${segment({ alg: 'none', typ: 'JWT' })}.${segment(claims)}`;
    expect(refusal(`${input}.`)).toBe('malformed');
    expect(refusal(`${input}.${'A'.repeat(43)}`)).toBe('header');
    expect(refusal(jwt.sign(claims, '', { algorithm: 'none' }))).toBe('malformed');
  });

  it.each([
    'none',
    'None',
    'NONE',
    'nOnE',
    'hs256',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'PS256',
    'EdDSA',
    '',
    null,
    256,
    ['HS256'],
  ])('refuses the algorithm %j, though signed with the right key', (alg) => {
    expect(refusal(signRaw({ alg, typ: 'JWT' }, claims, secret))).toBe('header');
  });

  it.each(['HS384', 'HS512'] as const)('refuses %s', (algorithm) => {
    expect(refusal(jwt.sign(claims, secret, { algorithm }))).toBe('malformed');
  });

  it('refuses RS256, and a public key taken for a secret', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(refusal(jwt.sign({ exp: now + 60 }, privateKey, { algorithm: 'RS256' }))).toBe('malformed');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const confused = signRaw({ alg: 'HS256', typ: 'JWT' }, claims, pem);
    expect(refusal(confused)).toBe('signature');
  });

  it.each([
    { kid: '../../dev/null' },
    { kid: "' UNION SELECT 'x" },
    { jwk: { kty: 'oct', k: segment('attacker') } },
    { jku: 'https://attacker.example/keys' },
    { x5u: 'https://attacker.example/cert' },
    { x5c: ['MII'] },
    { crit: ['exp'] },
    { b64: false },
    { zip: 'DEF' },
    { cty: 'JWT' },
    { typ: 'at+jwt' },
    { typ: null },
  ])('refuses the header parameter %j, though signed with the right key', (parameter) => {
    expect(refusal(signRaw({ alg: 'HS256', typ: 'JWT', ...parameter }, claims, secret))).toBe('header');
  });

  it('refuses a key that the token brings along', () => {
    const own = 'the secret of an attacker, long enough';
    const header = { alg: 'HS256', typ: 'JWT', jwk: { kty: 'oct', k: segment(own) } };
    expect(refusal(signRaw(header, claims, own))).toBe('header');
  });

  it.each(['', 'x', 'null', '[]', '1', '"HS256"', '{', '{"alg":"HS256"', '{"alg":"none","alg":"HS512"}'])(
    'refuses the header %j',
    (header) => {
      expect(refusal(signRaw(header, claims, secret))).not.toBe('opened');
    },
  );

  it('takes a header without a type, and one written in another order', () => {
    expect(refusal(signRaw({ alg: 'HS256' }, claims, secret))).toBe('opened');
    expect(refusal(signRaw({ typ: 'JWT', alg: 'HS256' }, claims, secret))).toBe('opened');
  });

  it('refuses the empty secret and near misses of the secret', () => {
    for (const other of ['', ' ', secret.toUpperCase(), `${secret} `, secret.slice(1), 'undefined']) {
      expect(refusal(signRaw({ alg: 'HS256', typ: 'JWT' }, claims, other))).toBe('signature');
    }
  });

  it('checks the signature before it decrypts anything', () => {
    const undecryptable = { data: 'not encrypted', exp: now + 60 };
    expect(refusal(signRaw({ alg: 'HS256' }, undecryptable, 'another secret'))).toBe('signature');
    expect(refusal(signRaw({ alg: 'HS256' }, undecryptable, secret))).toBe('undecryptable');
  });
});

describe('times', () => {
  const data = AES.encrypt(JSON.stringify(session), secret).toString();

  it('refuses a token without an end, and one whose end is no time', () => {
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

  it('refuses a token before its time', () => {
    const early = signRaw({ alg: 'HS256' }, { data, nbf: now + 10, exp: now + 60 }, secret);
    expect(refusal(early)).toBe('not_yet_valid');
    expect(refusal(early, nowMs + 10_000)).toBe('opened');
  });

  it('refuses everything when told no time', () => {
    expect(refusal(good.token, Number.NaN)).toBe('expired');
  });

  it.each([{ iat: 'yesterday' }, { iat: null }, { nbf: '0' }, { jti: 5 }, { jti: '' }, { jti: null }])(
    'refuses the claim %j',
    (claim) => {
      expect(refusal(signRaw({ alg: 'HS256' }, { data, exp: now + 60, ...claim }, secret))).toBe('claims');
    },
  );
});

describe('payloads', () => {
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

  it('takes nothing from keys that mean something to JavaScript', () => {
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

  it('refuses claims that are no object', () => {
    for (const claims of ['null', '[]', '"text"', '5', 'true']) {
      expect(['claims', 'signature']).toContain(refusal(signRaw({ alg: 'HS256' }, claims, secret)));
      expect(['claims', 'signature']).toContain(
        refusal(signRaw({ alg: 'HS256', typ: 'JWT' }, claims, secret)),
      );
    }
  });
});

describe('bearers and partner tokens', () => {
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

  it('opens, decrypts and then, at its last moment, does neither', () => {
    expect(openToken(rotated, old, untilMs - 1).payload).toEqual(session);
    expect(refusalOf(() => openToken(rotated, old, untilMs))).toBe('signature');
    expect(refusalOf(() => openBearer(rotated, oldBearer, untilMs - 1))).toBe('opened');
    expect(refusalOf(() => openBearer(rotated, oldBearer, untilMs))).toBe('signature');
  });

  it('seals nothing', () => {
    const { token } = sealToken(rotated, session, { nowMs, ttlSeconds: 600 });
    expect(refusal(token)).toBe('opened');
    expect(() => observedSystem.open(token, previousSecret, nowMs)).toThrow('invalid signature');
  });

  it('does not decrypt what the current one signed', () => {
    const data = AES.encrypt(JSON.stringify(session), previousSecret).toString();
    const mixed = signRaw({ alg: 'HS256' }, { data, exp: now + 60 }, secret);
    expect(refusalOf(() => openToken(rotated, mixed, nowMs))).toBe('undecryptable');
  });
});

function otherLastCharacters(signature: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from(alphabet)
    .map((each) => signature.slice(0, -1) + each)
    .filter((each) => each !== signature);
}

function encryptedText(text: string): string {
  const data = AES.encrypt(text, secret).toString();
  return jwt.sign({ data, exp: now + 60 }, createSecretKey(Buffer.from(secret)));
}

function isSessionLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'userId' in value;
}
