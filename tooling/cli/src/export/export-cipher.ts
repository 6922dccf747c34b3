import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { RowKey } from '@gatehouse/db/queries/read-whole-tables';
import { CommandError } from '../command-error.js';

/** Where a value is in an export. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  readonly key: RowKey;
}

/** Encrypts the secrets of an export. */
export interface ExportCipher {
  /** Tells whether another key is the same, and reveals nothing else about it. */
  readonly check: string;
  /** The code that only a holder of the key can make for a text, in hexadecimal. */
  authenticate(text: string): string;
  seal(value: unknown, place: SealedPlace): string;
  /** @throws {CommandError} unless it was encrypted with the same key for the same place */
  open(sealed: unknown, place: SealedPlace): unknown;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SEALED = /^x1\.([A-Za-z0-9_-]{38,})$/;

/** A new key of an export, in base64. */
export function makeExportKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * AES-256-GCM with the table, the column and the key of the row as additional data, so that a value is valid only in its place.
 * The plaintext is the value as JSON. The nonce is the beginning of an HMAC, under a separate key, of the place and the value (as
 * in RFC 5297): equal values in one place give equal bytes, so that two exports with one key can be compared; different ones get
 * different nonces, except with the probability that two values of 96 random bits are equal. All keys and the check value are
 * derived by HKDF (RFC 5869).
 * @throws {CommandError} unless the key is 32 bytes in base64
 */
export function createExportCipher(base64: string): ExportCipher {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== base64)
    throw new CommandError('The key of an export is 32 bytes in base64, as gatehouse export prints it.');
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', bytes, '', `gatehouse export ${purpose}`, KEY_BYTES));
  const [encryptionKey, nonceKey, manifestKey] = [derive('encryption'), derive('nonces'), derive('manifest')];
  return {
    check: derive('check').toString('hex').slice(0, 16),
    authenticate: (text) => createHmac('sha256', manifestKey).update(text).digest('hex'),
    seal(value, place) {
      const text = JSON.stringify(value);
      const where = describePlace(place);
      const digest = createHmac('sha256', nonceKey).update(where).update('\n').update(text).digest();
      const nonce = digest.subarray(0, NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(where));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `x1.${Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [, body] = SEALED.exec(typeof sealed === 'string' ? sealed : '') ?? [];
      if (body === undefined) throw new CommandError(`${namedPlace(place)} is not sealed.`);
      const content = Buffer.from(body, 'base64url');
      const nonce = content.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(describePlace(place)));
      decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES));
        const value: unknown = JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8'));
        return value;
      } catch (cause) {
        throw new CommandError(`${namedPlace(place)} was not sealed with this key in this place.`, { cause });
      }
    },
  };
}

function describePlace({ table, column, key }: SealedPlace): string {
  return JSON.stringify([table, column, ...key]);
}

function namedPlace({ table, column, key }: SealedPlace): string {
  return `${column} of ${table} ${key.join(' ')}`;
}
