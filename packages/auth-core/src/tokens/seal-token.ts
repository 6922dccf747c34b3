import { randomBytes } from 'node:crypto';
import { findTokenKind, type TokenContent } from './find-token-kind.js';
import { encryptWithPassphrase } from './passphrase-cipher.js';
import { type SealedToken, type SealOptions, signJwt } from './sign-jwt.js';
import type { TokenKeys } from './token-keys.js';

/** The encoded payload of each kind: `type` names the kind, and a session has no `type`. */
export type TokenPayload = {
  [C in TokenContent as C['kind']]: C['kind'] extends 'session'
    ? C['payload'] & { readonly type?: never }
    : C['payload'] & { readonly type: C['kind'] };
}[TokenContent['kind']];

/**
 * Makes a Scheme A token: a JWT whose `data` is the payload's JSON, encrypted with the signing secret (see
 * `encryptWithPassphrase`). Who acts in an impersonation is also a readable claim, `act`.
 * @throws RangeError for a payload that could not be opened again, and as `signJwt` does.
 */
export function sealToken(keys: TokenKeys, payload: TokenPayload, options: SealOptions): SealedToken {
  const content = findTokenKind(payload)?.read(payload);
  if (content === undefined) throw new RangeError('no token kind has this payload');
  const wire = content.kind === 'session' ? content.payload : { ...content.payload, type: content.kind };
  const salt = (options.random ?? randomBytes)(8);
  const data = encryptWithPassphrase(JSON.stringify(wire), keys.current.passphrase, salt);
  const act = content.kind === 'impersonation' ? { act: content.payload.act } : {};
  return signJwt(keys.current, { data, ...act }, options);
}
