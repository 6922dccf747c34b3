import { createSecretKey, type KeyObject } from 'node:crypto';

/** One secret, prepared for both uses: signing a JWT and encrypting its payload. */
export interface TokenSecret {
  readonly key: KeyObject;
  readonly passphrase: string;
}

/** The current secret signs and verifies. The previous one only verifies, for a limited time. */
export interface TokenKeys {
  readonly current: TokenSecret;
  readonly previous: (TokenSecret & { readonly untilMs: number }) | undefined;
}

/**
 * Prepares the keys once, because creating a key costs more than using it. Secrets are UTF-8 text. RFC 7518,
 * section 3.2, requires 32 bytes or more; the previous secret may be shorter, because it may come from
 * another system.
 * @throws RangeError for a short secret, an empty previous one, or an invalid `untilMs`.
 */
export function createTokenKeys(options: {
  secret: string;
  previous?: { secret: string; untilMs: number } | undefined;
}): TokenKeys {
  if (Buffer.byteLength(options.secret) < 32)
    throw new RangeError('the token secret must be at least 32 bytes');
  const { previous } = options;
  if (previous === undefined) return { current: readSecret(options.secret), previous: undefined };
  if (previous.secret === '') throw new RangeError('the previous token secret must not be empty');
  if (!Number.isSafeInteger(previous.untilMs))
    throw new RangeError('the previous token secret needs a last moment');
  return {
    current: readSecret(options.secret),
    previous: { ...readSecret(previous.secret), untilMs: previous.untilMs },
  };
}

function readSecret(secret: string): TokenSecret {
  return { key: createSecretKey(Buffer.from(secret, 'utf8')), passphrase: secret };
}
