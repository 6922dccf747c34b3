import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a page passes to its browser to make a passkey. */
export interface AskedCreation {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** What a page passes to its browser to use a passkey. */
export interface AskedAssertion {
  readonly challenge: string;
  readonly rpId: string;
}

type Statement = readonly (readonly [key: string, value: Buffer])[];

/** What an attestation attests. */
export interface MadeCredential {
  readonly publicKey: KeyObject;
  /** The digest of the client data. */
  readonly challenge: Buffer;
}

/** How an authenticator or browser departs from what it should do. */
export interface AuthenticatorFault {
  /** Replaces fields of the client data; undefined removes one. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
  readonly backupEligible?: boolean;
  /** Null leaves it out. */
  readonly userHandle?: string | null;
  readonly counter?: number;
  /** Corrupts the signature. */
  readonly isForged?: boolean;
  /** In place of `none`. */
  readonly format?: string;
  /** The entries of the statement, in CBOR, or what makes them. */
  readonly statement?: Statement | ((made: MadeCredential) => Statement);
  /** Signs the attestation with the credential's own key. */
  readonly signsItself?: boolean;
  /** The credential named outside the signed data. */
  readonly id?: string;
}

/** A passkey in a device. */
export interface SoftwarePasskey {
  readonly id: string;
  /** The user id it was made for. */
  readonly userHandle: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** The response of `navigator.credentials.create`, as JSON. */
  readonly registration: object;
  /** The response of `navigator.credentials.get`, as JSON. It increases the counter. */
  use(options: AskedAssertion, fault?: AuthenticatorFault): object;
  /** A copy in another device, with its own counter. */
  copy(): SoftwarePasskey;
}

/** An authenticator in software, with the browser around it, on one page. */
export interface SoftwareAuthenticator {
  create(options: AskedCreation, fault?: AuthenticatorFault): SoftwarePasskey;
}

export type AuthenticatorKey = 'ES256' | 'EdDSA' | 'RS256' | 'ES384';

/**
 * Makes and uses passkeys as a browser and an authenticator do (WebAuthn Level 3), with every fault that a test requests.
 * @param origin of the page
 * @param isSynced whether its passkeys may be copied; such ones have no counter
 */
export function createAuthenticator({
  origin,
  isSynced = false,
  key = 'ES256',
  counts = !isSynced,
}: {
  origin: string;
  isSynced?: boolean;
  key?: AuthenticatorKey;
  counts?: boolean;
}): SoftwareAuthenticator {
  return {
    create(options, fault = {}) {
      const { publicKey, privateKey } = keyPair(key);
      const credentialId = randomBytes(32);
      const clientData = clientDataOf('webauthn.create', options.challenge, origin, fault);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseKey(publicKey, key),
      ]);
      const counter = counts ? 1 : 0;
      const data = authenticatorData(fault.rpId ?? options.rp.id, { isSynced, counter, ...fault }, attested);
      const signature = signed(privateKey, key, Buffer.concat([data, sha256(clientData)]));
      const own: [string, Buffer][] = fault.signsItself
        ? [
            ['alg', cborInt(ALGORITHM[key])],
            ['sig', cborBytes(signature)],
          ]
        : [];
      const made = { publicKey, challenge: sha256(clientData) };
      const { statement: asked = [] } = fault;
      const others = typeof asked === 'function' ? asked(made) : asked;
      const statement = cborMap([...own, ...others].map(([name, value]) => [cborText(name), value]));
      const attestation = cborMap([
        [cborText('fmt'), cborText(fault.format ?? (fault.signsItself ? 'packed' : 'none'))],
        [cborText('attStmt'), statement],
        [cborText('authData'), cborBytes(data)],
      ]);
      const id = fault.id ?? base64url(credentialId);
      const registration = {
        id,
        rawId: id,
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData),
          attestationObject: base64url(attestation),
          transports: ['internal', 'hybrid'],
        },
      };
      const held = {
        id: base64url(credentialId),
        userHandle: options.user.id,
        publicKey: base64url(coseKey(publicKey, key)),
        registration,
      };
      const passkeyAt = (startsAt: number): SoftwarePasskey => {
        let count = startsAt;
        return {
          ...held,
          copy: () => passkeyAt(count),
          use(asked, wrong = {}) {
            if (counts) count += 1;
            const used = clientDataOf('webauthn.get', asked.challenge, origin, wrong);
            const seen = { isSynced, counter: count, ...wrong };
            const authData = authenticatorData(wrong.rpId ?? asked.rpId, seen);
            const right = signed(privateKey, key, Buffer.concat([authData, sha256(used)]));
            const userHandle = wrong.userHandle === undefined ? held.userHandle : wrong.userHandle;
            return {
              id: wrong.id ?? held.id,
              rawId: wrong.id ?? held.id,
              type: 'public-key',
              clientExtensionResults: {},
              response: {
                clientDataJSON: base64url(used),
                authenticatorData: base64url(authData),
                signature: base64url(wrong.isForged ? spoiled(right) : right),
                ...(userHandle === null ? {} : { userHandle }),
              },
            };
          },
        };
      };
      return passkeyAt(counter);
    },
  };
}

const ALGORITHM: Readonly<Record<AuthenticatorKey, number>> = {
  ES256: -7,
  EdDSA: -8,
  RS256: -257,
  ES384: -35,
};

function keyPair(key: AuthenticatorKey): { publicKey: KeyObject; privateKey: KeyObject } {
  if (key === 'EdDSA') return generateKeyPairSync('ed25519');
  if (key === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: key === 'ES256' ? 'P-256' : 'P-384' });
}

function signed(privateKey: KeyObject, key: AuthenticatorKey, data: Buffer): Buffer {
  if (key === 'EdDSA') return sign(null, data, privateKey);
  return createSign(key === 'ES384' ? 'sha384' : 'sha256')
    .update(data)
    .sign(privateKey);
}

/** RFC 9053: the parameters of each type of key. */
function coseKey(publicKey: KeyObject, key: AuthenticatorKey): Buffer {
  const jwk = publicKey.export({ format: 'jwk' });
  const part = (text: string | undefined) => cborBytes(Buffer.from(text ?? '', 'base64url'));
  const alg: [Buffer, Buffer] = [cborInt(3), cborInt(ALGORITHM[key])];
  if (key === 'RS256')
    return cborMap([[cborInt(1), cborInt(3)], alg, [cborInt(-1), part(jwk.n)], [cborInt(-2), part(jwk.e)]]);
  const curve = { EdDSA: 6, ES256: 1, ES384: 2 }[key];
  const point: [Buffer, Buffer][] = [
    [cborInt(-1), cborInt(curve)],
    [cborInt(-2), part(jwk.x)],
  ];
  if (key === 'EdDSA') return cborMap([[cborInt(1), cborInt(1)], alg, ...point]);
  return cborMap([[cborInt(1), cborInt(2)], alg, ...point, [cborInt(-3), part(jwk.y)]]);
}

function clientDataOf(
  type: 'webauthn.create' | 'webauthn.get',
  challenge: string,
  origin: string,
  { clientData = {} }: AuthenticatorFault,
): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }));
}

function authenticatorData(
  rpId: string,
  seen: AuthenticatorFault & { readonly isSynced: boolean; readonly counter: number },
  attested?: Buffer,
): Buffer {
  const { isPresent = true, isVerified = true, isSynced, backupEligible = isSynced, counter } = seen;
  const flags =
    (isPresent ? 0x01 : 0) |
    (isVerified ? 0x04 : 0) |
    (backupEligible ? 0x18 : 0) |
    (attested === undefined ? 0 : 0x40);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
}

function spoiled(signature: Buffer): Buffer {
  const other = Buffer.from(signature);
  const last = other.length - 1;
  other[last] = (other[last] ?? 0) ^ 1;
  return other;
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** The head of a CBOR item (RFC 8949, 3). */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

/** A byte string in CBOR. */
export const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);

/** An array in CBOR. */
export const cborArray = (items: readonly Buffer[]) => Buffer.concat([cborHead(4, items.length), ...items]);
