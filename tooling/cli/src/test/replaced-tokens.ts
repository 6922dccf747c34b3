import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A bearer token as the replaced system signs it. */
export function replacedBearer(payload: object, secret: string, nowMs: number): string {
  const iat = Math.floor(nowMs / 1000);
  const body = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ ...payload, iat, exp: iat + 604_800 })}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

/** A token as the replaced system encrypts and signs it: AES under a passphrase, as openssl does it, in the claim `data`. */
export function replacedToken(payload: object, secret: string, nowMs: number): string {
  const salt = randomBytes(8);
  let derived = Buffer.alloc(0);
  let block = Buffer.alloc(0);
  while (derived.length < 48) {
    block = createHash('md5').update(block).update(secret).update(salt).digest();
    derived = Buffer.concat([derived, block]);
  }
  const cipher = createCipheriv('aes-256-cbc', derived.subarray(0, 32), derived.subarray(32, 48));
  const sealed = Buffer.concat([
    Buffer.from('Salted__'),
    salt,
    cipher.update(JSON.stringify(payload), 'utf8'),
    cipher.final(),
  ]);
  return replacedBearer({ data: sealed.toString('base64') }, secret, nowMs);
}
