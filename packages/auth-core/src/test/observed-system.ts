import { AES, enc } from 'crypto-js';
import jwt from 'jsonwebtoken';

/**
 * The independent oracle: tokens made and read as the system we replace does it, with jsonwebtoken, a
 * string for a key, and crypto-js with a passphrase.
 */
export const observedSystem = {
  seal(payload: unknown, secret: string, claims: object = { exp: 4_000_000_000 }): string {
    return jwt.sign({ data: AES.encrypt(JSON.stringify(payload), secret).toString(), ...claims }, secret);
  },
  open(token: string, secret: string, nowMs: number): unknown {
    const claims = jwt.verify(token, secret, { clockTimestamp: Math.floor(nowMs / 1000) });
    if (typeof claims === 'string') throw new TypeError('the claims are not an object');
    return JSON.parse(AES.decrypt(claims['data'], secret).toString(enc.Utf8));
  },
};
