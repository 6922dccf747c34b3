import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const LONGEST = 8192;

const algorithm = z.looseObject({ algorithm: z.literal('HMAC-SHA256') });

/**
 * Opens a signed request of Facebook: `base64url(HMAC-SHA256(secret, payload)).payload`, where the payload is
 * JSON in base64url and names its algorithm. It compares the signature in constant time before reading the
 * payload.
 * @returns the payload; undefined for one that is malformed, tampered with, or of another algorithm.
 */
export function openSignedRequest(
  text: string,
  secret: string,
): Readonly<Record<string, unknown>> | undefined {
  const [signature = '', payload = '', ...rest] = text.split('.');
  if (text.length > LONGEST || rest.length > 0) return undefined;
  if (!BASE64URL.test(signature) || !BASE64URL.test(payload)) return undefined;
  const expected = createHmac('sha256', secret).update(payload).digest();
  const given = Buffer.from(signature, 'base64url');
  // Another encoding of the same bytes would differ in base64's unused bits.
  const isCanonical = given.toString('base64url') === signature;
  if (given.length !== expected.length || !isCanonical || !timingSafeEqual(given, expected)) return undefined;
  const parsed = algorithm.safeParse(readJson(Buffer.from(payload, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
