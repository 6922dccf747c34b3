import { randomBytes } from 'node:crypto';
import { type SealedToken, type SealOptions, signJwt, type TokenFacts, verifyJwt } from './jwt.js';
import { decryptWithPassphrase, encryptWithPassphrase } from './passphrase-cipher.js';
import type { TokenKeys, TokenSecret } from './token-keys.js';
import { findTokenKind, type TokenContent } from './token-kinds.js';
import { TokenRefused } from './token-refused.js';

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

/** An opened Scheme A token: its kind, its payload, and the data for revocation. */
export type OpenedToken = TokenContent & TokenFacts;

export type TokenKindName = OpenedToken['kind'];

/**
 * Opens a Scheme A token of any kind. Checks the signature before it decrypts.
 * @throws TokenRefused and nothing else, whatever the token.
 */
export function openToken(keys: TokenKeys, token: string, nowMs: number): OpenedToken {
  const { claims, secret, facts } = verifyJwt(keys, token, nowMs);
  return { ...readContent(decryptJson(claims['data'], secret)), ...facts };
}

/**
 * Opens a Scheme A token of one of the given kinds.
 * @throws TokenRefused and nothing else; `wrong_kind` for a valid token of a kind that is not listed.
 */
export function openTokenOfKind<K extends TokenKindName>(
  keys: TokenKeys,
  token: string,
  nowMs: number,
  kinds: readonly K[],
): Extract<OpenedToken, { kind: K }> {
  const opened = openToken(keys, token, nowMs);
  if (!isOfKind(opened, kinds)) throw new TokenRefused('wrong_kind');
  return opened;
}

function isOfKind<K extends TokenKindName>(
  opened: OpenedToken,
  kinds: readonly K[],
): opened is Extract<OpenedToken, { kind: K }> {
  return kinds.some((kind) => kind === opened.kind);
}

function readContent(payload: unknown): TokenContent {
  if (typeof payload !== 'object' || payload === null) throw new TokenRefused('payload');
  const kind = findTokenKind(payload);
  if (kind === undefined) throw new TokenRefused('unknown_kind');
  const content = kind.read(payload);
  if (content === undefined) throw new TokenRefused('payload');
  return content;
}

function decryptJson(data: unknown, secret: TokenSecret): unknown {
  if (typeof data !== 'string') throw new TokenRefused('claims');
  const text = decryptWithPassphrase(data, secret.passphrase);
  if (text === undefined) throw new TokenRefused('undecryptable');
  try {
    return JSON.parse(text);
  } catch {
    throw new TokenRefused('undecryptable');
  }
}
