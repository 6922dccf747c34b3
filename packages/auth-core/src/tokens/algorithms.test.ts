import { generateKeyPairSync } from 'node:crypto';
import { AES } from 'crypto-js';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { segment, signRaw } from '../../test/sign-raw.js';
import { now, refusal, secret, session } from '../../test/token-samples.js';

describe('the check of algorithms and headers', () => {
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
  ])('refuses the algorithm %j, even if signed with the right key', (alg) => {
    expect(refusal(signRaw({ alg, typ: 'JWT' }, claims, secret))).toBe('header');
  });

  it.each(['HS384', 'HS512'] as const)('refuses %s', (algorithm) => {
    expect(refusal(jwt.sign(claims, secret, { algorithm }))).toBe('malformed');
  });

  it('refuses RS256, and a public key used as a secret', () => {
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
  ])('refuses the header parameter %j, even if signed with the right key', (parameter) => {
    expect(refusal(signRaw({ alg: 'HS256', typ: 'JWT', ...parameter }, claims, secret))).toBe('header');
  });

  it('refuses a key that is contained in the token itself', () => {
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

  it('accepts a header without a type, and one written in another order', () => {
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
