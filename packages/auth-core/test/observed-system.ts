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
    const data: unknown = typeof claims === 'string' ? undefined : claims['data'];
    if (typeof data !== 'string') throw new TypeError('there is no encrypted payload');
    return JSON.parse(AES.decrypt(data, secret).toString(enc.Utf8));
  },
};
