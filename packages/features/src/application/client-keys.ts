import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** The maximum number of keys of an application. One signs while its successor is rolled out. */
const MAX_KEYS = 10;

const MIN_RSA_BITS = 2048;

/** Longer keys, and other exponents than the usual one, could take a hundred times as long to check a signature. */
const MAX_RSA_BITS = 4096;
const RSA_EXPONENT = 65_537n;

/** The algorithms with which applications may sign the proof of their identity (RFC 7518, section 3.1; RFC 8037). */
export const CLIENT_SIGNATURES = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;

const givenKey = z.looseObject({ kty: z.string() });

/** A JSON Web Key Set (RFC 7517) as an application gives it. */
export const keySet = z.object({ keys: z.array(givenKey).min(1).max(MAX_KEYS) });

/** A key set at a URL, which may have keys for other uses. */
export const publishedKeySet = z.object({ keys: z.array(givenKey) });

/** The public keys of an application. */
interface ClientKeys {
  readonly keys: readonly ClientKey[];
}

/** The stored fields of a key. */
const clientKey = z.object({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  kid: z.string().min(1).max(200).exactOptional(),
  alg: z.enum(CLIENT_SIGNATURES).exactOptional(),
  use: z.literal('sig').exactOptional(),
  crv: z.string().exactOptional(),
  x: z.string().exactOptional(),
  y: z.string().exactOptional(),
  n: z.string().exactOptional(),
  e: z.string().exactOptional(),
});

type ClientKey = z.output<typeof clientKey>;

/** The private parts of a key, and a symmetric key itself. */
const PRIVATE_PARTS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

type GivenKey = z.output<typeof keySet>['keys'][number];

/** Whether a key could sign, which means that a private key was published. */
export function isPrivateKey(given: GivenKey): boolean {
  return PRIVATE_PARTS.some((part) => part in given);
}

/** A key as it is stored, without members that no signature needs; undefined for one that applications cannot sign with. */
export function readClientKey(given: GivenKey): ClientKey | undefined {
  const key = clientKey.safeParse(given).data;
  return key !== undefined && isUsable(publicKeyOf(key)) ? key : undefined;
}

/** The keys of a set as they are stored, or what is wrong with the first that is refused. */
export function readClientKeys(
  given: z.output<typeof keySet>,
): ClientKeys | { readonly problem: string; readonly at: number } {
  const keys: ClientKey[] = [];
  for (const [at, each] of given.keys.entries()) {
    if (isPrivateKey(each)) return { at, problem: 'must be a public key' };
    const key = readClientKey(each);
    if (key === undefined) return { at, problem: BAD_KEY };
    keys.push(key);
  }
  return { keys };
}

const BAD_KEY =
  'must be a key for RS256 or PS256 (2,048 to 4,096 bits, exponent 65537), ES256 or EdDSA (Ed25519)';

function publicKeyOf(key: ClientKey): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function isUsable(key: KeyObject | undefined): boolean {
  const { modulusLength = 0, namedCurve, publicExponent } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case 'rsa':
      return (
        modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS && publicExponent === RSA_EXPONENT
      );
    case 'ec':
      return namedCurve === 'prime256v1';
    case 'ed25519':
      return true;
    default:
      return false;
  }
}
