import AES from 'crypto-js/aes.js';
import Hex from 'crypto-js/enc-hex.js';
import Utf8 from 'crypto-js/enc-utf8.js';

/** Longer tokens are neither issued nor accepted: common proxies limit a header or URL to 8 kB. */
export const maxTokenLength = 8192;

/** Base64 of `Salted__`, a salt of 8 bytes, and at least one block of ciphertext. crypto-js would read other forms too. */
const SEALED = /^U2FsdGVkX1[89+/][A-Za-z0-9+/]{32,}={0,2}$/;

const BLOCK_BYTES = 16;

/**
 * Encrypts text by AES-256-CBC under a passphrase, as `openssl enc -aes-256-cbc -md md5` does: base64 of
 * `Salted__`, the 8-byte salt and the ciphertext. It hides but does not authenticate, so only use it under a
 * signature.
 */
export function encryptWithPassphrase(text: string, passphrase: string, salt: Buffer): string {
  return AES.encrypt(text, passphrase, { salt: Hex.parse(salt.toString('hex')) }).toString();
}

/**
 * Decrypts such text. Returns undefined, and never throws, for another form. Under another passphrase it returns
 * undefined or a few wrong characters, because crypto-js does not check the padding.
 */
export function decryptWithPassphrase(sealed: string, passphrase: string): string | undefined {
  if (!SEALED.test(sealed) || sealed.length % 4 !== 0) return undefined;
  if (Buffer.byteLength(sealed, 'base64') % BLOCK_BYTES !== 0) return undefined;
  try {
    return AES.decrypt(sealed, passphrase).toString(Utf8);
  } catch {
    return undefined;
  }
}

/** The plain form `<id>_<milliseconds>_<id>` that old clients expect. It grants no access. */
export function plainToken(memberId: number, nowMs: number): string {
  return `${memberId}_${nowMs}_${memberId}`;
}
