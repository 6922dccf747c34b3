import crypto, { type KeyPairKeyObjectResult } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { isDeepStrictEqual, promisify } from 'node:util';

/**
 * Gives tests RSA keys from a fixed set of eight for each worker, so that each differs from the seven before it. A service makes
 * one for its tokens or for a connection in most tests of applications and of SAML, which took half of their time. Stress tests
 * make each key.
 */
const KEYS = 8;
const USUAL = ['rsa', { modulusLength: 2_048 }] as const;
const { generateKeyPair, generateKeyPairSync } = crypto;
const pairs: KeyPairKeyObjectResult[] = [];
let given = 0;

function nextPair(): KeyPairKeyObjectResult {
  const at = given % KEYS;
  given += 1;
  const pair = pairs[at] ?? generateKeyPairSync(...USUAL);
  pairs[at] = pair;
  return pair;
}

type Make = (...asked: unknown[]) => unknown;

const reusing =
  (make: Make): Make =>
  (...asked) =>
    isDeepStrictEqual(asked, USUAL) ? nextPair() : make(...asked);

Object.assign(crypto, {
  generateKeyPairSync: reusing(generateKeyPairSync as Make),
  generateKeyPair: Object.assign(
    (...asked: Parameters<typeof generateKeyPair>) => generateKeyPair(...asked),
    {
      [promisify.custom]: async (...asked: unknown[]) =>
        reusing(promisify(generateKeyPair) as Make)(...asked),
    },
  ),
});
syncBuiltinESMExports();
