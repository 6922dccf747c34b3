import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import type { SsoSettings } from '@gatehouse/db/tables/sso-tables';
import { SIGNATURE_ALGORITHMS } from './saml-names.js';

const MIN_RSA_BITS = 2_048;
const CURVES: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/** A key of an identity provider, from the certificate in its metadata. */
export interface SamlKey {
  readonly publicKey: KeyObject;
  readonly notAfterMs: number;
}

/** Reads a certificate in Base64; undefined without one whose key is RSA of 2,048 bits or more, or on a curve of NIST, and whose end can be read. */
export function readSamlKey(certificate: string): SamlKey | undefined {
  try {
    const read = new X509Certificate(Buffer.from(certificate.replaceAll(/\s/g, ''), 'base64'));
    const { publicKey } = read;
    const { modulusLength = 0, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
    const isStrong =
      publicKey.asymmetricKeyType === 'rsa'
        ? modulusLength >= MIN_RSA_BITS
        : publicKey.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve);
    const notAfterMs = Date.parse(read.validTo);
    return isStrong && Number.isFinite(notAfterMs) ? { publicKey, notAfterMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a key made a signature with an accepted algorithm, which must be one for keys of its kind. */
export function isSignedBy(
  key: KeyObject,
  algorithm: string,
  { content, signature }: { content: Buffer; signature: Buffer },
): boolean {
  const accepted = SIGNATURE_ALGORITHMS.get(algorithm);
  if (accepted === undefined || accepted.key !== key.asymmetricKeyType) return false;
  // Both signatures of RFC 4050 and later are the two numbers without ASN.1.
  return verify(accepted.digest, content, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** When the last certificate in settings ends, until which an identity provider may continue; null for settings without any. */
export function certificatesEndOf(settings: SsoSettings): number | null {
  const certificates = settings.kind === 'saml' ? settings.certificates : [];
  const ends = certificates.flatMap((each) => readSamlKey(each)?.notAfterMs ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}
