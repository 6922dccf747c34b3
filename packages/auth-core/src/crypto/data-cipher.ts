import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Encrypts data at rest, such as provider tokens and partner secrets. */
export interface DataCipher {
  /** Encrypts text for one place, named by `context` (`socialConnection:7:accessToken`). */
  seal(text: string, context: string): string;
  /** @throws SealedDataRefused unless it was encrypted for this context with a known key. */
  open(sealed: string, context: string): string;
  /** Whether it was encrypted with the current key. Otherwise it must be encrypted again. */
  isCurrent(sealed: string): boolean;
  /**
   * Digests of a short secret that must not be guessed from them: HMAC-SHA256 in hexadecimal, first with a key
   * derived from the current one, then from each previous one. Store the first, and compare with all.
   */
  digests(text: string, context: string): readonly [string, ...string[]];
  /** The prefix of every text encrypted with the current key, so that a database can find the others. */
  readonly currentPrefix: string;
}

export class SealedDataRefused extends Error {
  override readonly name = 'SealedDataRefused';
}

interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
  /** Derived from the same bytes, so that no key has two uses (NIST SP 800-57, 5.2). */
  readonly digestKey: KeyObject;
}

const SEALED = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit IV. Encrypted text is `v1.<key id>.<base64url of IV, tag
 * and ciphertext>`. The context and the key id are authenticated too, so a value moved to another row or
 * column does not decrypt.
 * @param options `key` and each of `previous` are 32 bytes in base64; the previous ones only decrypt.
 * @throws RangeError for a key of another length.
 */
export function createDataCipher(options: { key: string; previous?: readonly string[] }): DataCipher {
  const current = readDataKey(options.key);
  const previous = (options.previous ?? []).map(readDataKey);
  const known = new Map([...previous, current].map((each) => [each.id, each.key]));

  return {
    currentPrefix: `v1.${current.id}.`,
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(authenticatedData(current.id, context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [, keyId = '', body = ''] = SEALED.exec(sealed) ?? [];
      const key = known.get(keyId);
      if (key === undefined) throw new SealedDataRefused('not sealed with a known key');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(authenticatedData(keyId, context));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealedDataRefused('changed, or sealed for another context', { cause });
      }
    },
    digests(text, context) {
      const digestBy = ({ digestKey }: DataKey) =>
        createHmac('sha256', digestKey).update(`${context}:${text}`).digest('hex');
      return [digestBy(current), ...previous.map(digestBy)];
    },
    isCurrent(sealed) {
      return SEALED.exec(sealed)?.[1] === current.id;
    },
  };
}

function readDataKey(base64: string): DataKey {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 32) throw new RangeError('a data encryption key must be 32 bytes in base64');
  const id = createHash('sha256').update('data key id').update(bytes).digest('hex').slice(0, 16);
  const digestBytes = createHmac('sha256', bytes).update('data digest key').digest();
  return { id, key: createSecretKey(bytes), digestKey: createSecretKey(digestBytes) };
}

function authenticatedData(keyId: string, context: string): Buffer {
  return Buffer.from(`v1.${keyId}.${context}`, 'utf8');
}
