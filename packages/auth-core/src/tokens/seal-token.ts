import { randomBytes } from 'node:crypto';
import { encryptWithPassphrase } from './passphrase-cipher.js';
import { readPayload, type TokenContent } from './read-payload.js';
import { type SealedToken, type SealOptions, signJwt } from './sign-jwt.js';
import type { TokenKeys } from './token-keys.js';

/** The payload of each kind as it travels: the kind stands in `type`, and a session has none. */
export type TokenPayload = {
  [C in TokenContent as C['kind']]: C['kind'] extends 'session'
    ? C['payload'] & { readonly type?: never }
    : C['payload'] & { readonly type: C['kind'] };
}[TokenContent['kind']];

/**
 * Makes a Scheme A token: a JWT whose `data` is the payload's JSON, encrypted with the same secret
 * that signs it (see `encryptWithPassphrase`).
 *
 * @throws TokenRefused for a payload that could not be opened again, RangeError as `signJwt` does.
 */
export function sealToken(keys: TokenKeys, payload: TokenPayload, options: SealOptions): SealedToken {
  const content = readPayload(payload);
  const wire = content.kind === 'session' ? content.payload : { ...content.payload, type: content.kind };
  const salt = (options.random ?? randomBytes)(8);
  const data = encryptWithPassphrase(JSON.stringify(wire), keys.current.passphrase, salt);
  return signJwt(keys.current, { data }, options);
}
