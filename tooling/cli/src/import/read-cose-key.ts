import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

const { isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA, COSEALG, COSEKEYS } = cose;

/**
 * The public key of a passkey as COSE (RFC 9052) in base64url, from base64 of either alphabet. Undefined if it is not such a key,
 * or not one of ES256, EdDSA and RS256.
 */
export function readCoseKey(text: string): string | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  try {
    createPublicKey({ key: jwkOf(decodeCredentialPublicKey(new Uint8Array(bytes))), format: 'jwk' });
    return bytes.toString('base64url');
  } catch {
    return undefined;
  }
}

function jwkOf(key: ReturnType<typeof decodeCredentialPublicKey>): JsonWebKey {
  const alg = key.get(COSEKEYS.alg);
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url');
  if (alg === COSEALG.ES256 && isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) };
  if (alg === COSEALG.EdDSA && isCOSEPublicKeyOKP(key))
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) };
  if (alg === COSEALG.RS256 && isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) };
  throw new TypeError('is of another kind');
}
