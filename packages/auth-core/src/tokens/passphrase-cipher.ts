import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

const MAGIC = Buffer.from('Salted__', 'latin1');
const SALT_BYTES = 8;
const BLOCK_BYTES = 16;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Encrypts text like `openssl enc -aes-256-cbc -md md5` and `CryptoJS.AES.encrypt(text, passphrase)`: base64 of
 * `Salted__`, the 8-byte salt and the ciphertext. It hides but does not authenticate, so only use it under a
 * signature.
 */
export function encryptWithPassphrase(text: string, passphrase: Buffer, salt: Buffer): string {
  const { key, iv } = deriveKeyAndIv(passphrase, salt);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  return Buffer.concat([MAGIC, salt, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

/** Decrypts such text. Returns undefined, and never throws, for another form or passphrase. */
export function decryptWithPassphrase(sealed: string, passphrase: Buffer): string | undefined {
  if (!BASE64.test(sealed)) return undefined;
  const bytes = Buffer.from(sealed, 'base64');
  const salt = bytes.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
  const ciphertext = bytes.subarray(MAGIC.length + SALT_BYTES);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  if (ciphertext.length === 0 || ciphertext.length % BLOCK_BYTES !== 0) return undefined;
  const { key, iv } = deriveKeyAndIv(passphrase, salt);
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, iv);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** OpenSSL's EVP_BytesToKey with MD5 and one round: 32 bytes of key, then 16 of IV. */
function deriveKeyAndIv(passphrase: Buffer, salt: Buffer): { key: Buffer; iv: Buffer } {
  const first = md5(passphrase, salt);
  const second = md5(first, passphrase, salt);
  return { key: Buffer.concat([first, second]), iv: md5(second, passphrase, salt) };
}

function md5(...parts: Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}
