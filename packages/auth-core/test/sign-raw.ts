import { createHmac } from 'node:crypto';

/** Signs any header and payload, however wrong, as a JWS with an HMAC: what only a holder of the key can do. */
export function signRaw(header: unknown, payload: unknown, secret: string, hash = 'sha256'): string {
  const input = `${segment(header)}.${segment(payload)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** One segment of a JWS; text goes in as it is, anything else as JSON. */
export function segment(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}
