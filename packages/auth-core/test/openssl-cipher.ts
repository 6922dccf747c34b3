import { createCipheriv, createHash } from 'node:crypto';

/** The independent oracle of the cipher: `openssl enc -aes-256-cbc -md md5 -base64 -A`, with a given salt. */
export const opensslCipher = {
  seal(text: string, passphrase: string, salt: Buffer): string {
    const first = md5(passphrase, salt);
    const second = md5(first, passphrase, salt);
    const cipher = createCipheriv(
      'aes-256-cbc',
      Buffer.concat([first, second]),
      md5(second, passphrase, salt),
    );
    return Buffer.concat([
      Buffer.from('Salted__'),
      salt,
      cipher.update(text, 'utf8'),
      cipher.final(),
    ]).toString('base64');
  },
};

/** OpenSSL's EVP_BytesToKey with MD5 and one round takes 48 bytes of these: 32 of the key, then 16 of the IV. */
function md5(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
