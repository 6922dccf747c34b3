import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;

/** Object identifiers in DER: the common name, and RSA and ECDSA with SHA-256. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const RSA_SHA256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');

/**
 * A certificate (X.509, in DER) that a key makes for itself. Identity providers ask for a key in this form and read only its key
 * and its end.
 */
export function selfSignedCertificate(
  privateKey: KeyObject,
  { commonName, notBeforeMs, notAfterMs }: { commonName: string; notBeforeMs: number; notAfterMs: number },
): Buffer {
  const algorithm = privateKey.asymmetricKeyType === 'rsa' ? RSA_SHA256 : ECDSA_SHA256;
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
  const serial = randomBytes(16);
  // A positive number without a leading zero.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const content = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    name,
    der(SEQUENCE, time(notBeforeMs), time(notAfterMs)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  return der(SEQUENCE, content, algorithm, der(0x03, Buffer.of(0), signature));
}

/** From 2050 on a year has four digits (RFC 5280). */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), content]);
}
