import { generateKeyPairSync } from 'node:crypto';
import { selfSignedCertificate } from '../sso/self-signed-certificate.js';

const DAY_MS = 86_400_000;

/** A new key of RSA and its certificate, as the files of programs have them. */
export function makeCertifiedKey({ bits = 2_048 }: { bits?: number } = {}): {
  readonly privateKey: string;
  readonly certificate: string;
} {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const nowMs = Date.now();
  const certificate = selfSignedCertificate(privateKey, {
    commonName: 'localhost',
    notBeforeMs: nowMs - DAY_MS,
    notAfterMs: nowMs + 365 * DAY_MS,
  });
  const lines = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
