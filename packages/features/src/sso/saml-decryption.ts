import { constants, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto';
import { SAML } from './saml-names.js';
import { childrenOf, type XmlElement } from './saml-xml.js';

/** The same answer to everything that cannot be decrypted, so that nobody learns what was wrong. */
export class DecryptionRefused extends Error {
  override readonly name = 'DecryptionRefused';
  override readonly message = 'It cannot be decrypted with RSA-OAEP, AES and a key of this service.';
}

const ENCRYPTION_11 = 'http://www.w3.org/2009/xmlenc11#';

const CIPHERS: ReadonlyMap<string, { cipher: 'aes-128' | 'aes-256'; mode: 'cbc' | 'gcm' }> = new Map([
  [`${SAML.encryption}aes128-cbc`, { cipher: 'aes-128', mode: 'cbc' }],
  [`${SAML.encryption}aes256-cbc`, { cipher: 'aes-256', mode: 'cbc' }],
  [`${ENCRYPTION_11}aes128-gcm`, { cipher: 'aes-128', mode: 'gcm' }],
  [`${ENCRYPTION_11}aes256-gcm`, { cipher: 'aes-256', mode: 'gcm' }],
]);

/** Digests of RSA-OAEP, with the name of the mask generation function that goes with each. */
const OAEP_DIGESTS: ReadonlyMap<string, { hash: string; mask: string }> = new Map([
  [`${SAML.signature}sha1`, { hash: 'sha1', mask: `${ENCRYPTION_11}mgf1sha1` }],
  [`${SAML.encryption}sha256`, { hash: 'sha256', mask: `${ENCRYPTION_11}mgf1sha256` }],
  [`${SAML.encryption}sha512`, { hash: 'sha512', mask: `${ENCRYPTION_11}mgf1sha512` }],
]);

const GCM_IV_BYTES = 12;
const CBC_IV_BYTES = 16;
const TAG_BYTES = 16;

/**
 * The text of the element in an EncryptedAssertion. It proves nothing about who sent it.
 *
 * @throws {DecryptionRefused}
 */
export function decryptElement(encrypted: XmlElement, keys: readonly KeyObject[]): string {
  const [data] = childrenOf(encrypted, SAML.encryption, 'EncryptedData');
  const [inside] = childrenOf(data ?? encrypted, SAML.signature, 'KeyInfo');
  const encryptedKeys = [
    ...childrenOf(inside ?? encrypted, SAML.encryption, 'EncryptedKey'),
    ...childrenOf(encrypted, SAML.encryption, 'EncryptedKey'),
  ];
  const chosen = CIPHERS.get(methodOf(data));
  const [encryptedKey, ...others] = new Set(encryptedKeys);
  if (data === undefined || chosen === undefined || encryptedKey === undefined || others.length > 0)
    throw new DecryptionRefused();
  for (const key of keys) {
    try {
      return decrypt(cipherValueOf(data), { ...chosen, key: unwrap(encryptedKey, key) });
    } catch {
      // Our next key, if there is one.
    }
  }
  throw new DecryptionRefused();
}

function unwrap(encryptedKey: XmlElement, key: KeyObject): Buffer {
  const [method] = childrenOf(encryptedKey, SAML.encryption, 'EncryptionMethod');
  const algorithm = methodOf(encryptedKey);
  const [digest] = method === undefined ? [] : childrenOf(method, SAML.signature, 'DigestMethod');
  const [mask] = method === undefined ? [] : childrenOf(method, ENCRYPTION_11, 'MGF');
  const chosen = OAEP_DIGESTS.get(digest?.attributes.get('Algorithm') ?? `${SAML.signature}sha1`);
  const maskName = mask?.attributes.get('Algorithm') ?? `${ENCRYPTION_11}mgf1sha1`;
  const isOaep = algorithm === `${SAML.encryption}rsa-oaep-mgf1p` || algorithm === `${ENCRYPTION_11}rsa-oaep`;
  if (!isOaep || chosen === undefined || maskName !== chosen.mask) throw new DecryptionRefused();
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return privateDecrypt({ key, padding, oaepHash: chosen.hash }, cipherValueOf(encryptedKey));
}

function decrypt(
  sent: Buffer,
  { cipher, mode, key }: { cipher: 'aes-128' | 'aes-256'; mode: 'cbc' | 'gcm'; key: Buffer },
): string {
  const read = (bytes: Buffer) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (mode === 'gcm') {
    const decipher = createDecipheriv(`${cipher}-gcm`, key, sent.subarray(0, GCM_IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sent.subarray(-TAG_BYTES));
    const content = sent.subarray(GCM_IV_BYTES, -TAG_BYTES);
    return read(Buffer.concat([decipher.update(content), decipher.final()]));
  }
  const decipher = createDecipheriv(`${cipher}-cbc`, key, sent.subarray(0, CBC_IV_BYTES));
  // XML Encryption pads with any bytes, of which the last says how many there are.
  decipher.setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(sent.subarray(CBC_IV_BYTES)), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  if (padding < 1 || padding > CBC_IV_BYTES) throw new DecryptionRefused();
  return read(padded.subarray(0, -padding));
}

function methodOf(element: XmlElement | undefined): string {
  const [method] = element === undefined ? [] : childrenOf(element, SAML.encryption, 'EncryptionMethod');
  return method?.attributes.get('Algorithm') ?? '';
}

function cipherValueOf(element: XmlElement): Buffer {
  const [data] = childrenOf(element, SAML.encryption, 'CipherData');
  const [value] = data === undefined ? [] : childrenOf(data, SAML.encryption, 'CipherValue');
  if (value === undefined) throw new DecryptionRefused();
  return Buffer.from(value.text, 'base64');
}
