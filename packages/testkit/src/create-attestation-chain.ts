import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

const DAY_MS = 86_400_000;

const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const CRL_DISTRIBUTION_POINTS = '551d1f';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const ANDROID_KEY_DESCRIPTION = '2b06010401d679020111';

/**
 * The certificates of an Android key attestation (WebAuthn Level 3, 8.4), the credential's first and then a stranger's
 * root, in DER. Verifiers ask at `crlUrl` whether they are revoked.
 * @param publicKey of the credential
 * @param challenge the digest of the client data
 */
export function createAttestationChain({
  publicKey,
  challenge,
  crlUrl,
}: {
  publicKey: KeyObject;
  challenge: Buffer;
  crlUrl: string;
}): Buffer[] {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'A stranger';
  const certificate = (subject: string, key: KeyObject, serial: number, extensions: readonly Buffer[]) => {
    const now = Date.now();
    const content = der(
      0x30,
      der(0xa0, integer(2)),
      integer(serial),
      ALGORITHM,
      nameOf(issuer),
      der(0x30, utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
      nameOf(subject),
      key.export({ type: 'spki', format: 'der' }),
      der(0xa3, der(0x30, ...extensions)),
    );
    const signature = createSign('sha256').update(content).sign(root.privateKey);
    return der(0x30, content, ALGORITHM, der(0x03, Buffer.from([0]), signature));
  };
  const points = der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from(crlUrl))))));
  const version = [integer(4), der(0x0a, Buffer.from([1]))];
  const empty = der(0x30);
  const described = der(0x30, ...version, ...version, der(0x04, challenge), der(0x04), empty, empty);
  return [
    certificate('A key', publicKey, 2, [
      extension(CRL_DISTRIBUTION_POINTS, points),
      extension(ANDROID_KEY_DESCRIPTION, described),
    ]),
    certificate(issuer, root.publicKey, 1, [
      extension(BASIC_CONSTRAINTS, der(0x30, der(0x01, Buffer.from([0xff])))),
    ]),
  ];
}

/** A value in DER (ITU-T X.690, 8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const { length } = Buffer.concat(parts);
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), ...parts]);
}

const integer = (value: number) => der(0x02, Buffer.from([value]));
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const extension = (id: string, value: Buffer) => der(0x30, identifier(id), der(0x04, value));
const nameOf = (text: string) =>
  der(0x30, der(0x31, der(0x30, identifier(COMMON_NAME), der(0x0c, Buffer.from(text)))));
const ALGORITHM = der(0x30, identifier(ECDSA_WITH_SHA256));

/** YYMMDDHHMMSSZ. */
const utcTime = (atMs: number) =>
  der(0x17, Buffer.from(`${new Date(atMs).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
