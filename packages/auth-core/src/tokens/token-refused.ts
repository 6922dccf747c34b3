/** Why a token was refused, for the log. A caller only learns that it was refused. */
export type TokenRefusal =
  | 'malformed'
  | 'header'
  | 'signature'
  | 'claims'
  | 'expiry_missing'
  | 'expired'
  | 'not_yet_valid'
  | 'undecryptable'
  | 'payload'
  | 'unknown_kind'
  | 'wrong_kind'
  | 'wrong_issuer';

/** The only exception that opening a token throws, whatever the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly reason: TokenRefusal;

  constructor(reason: TokenRefusal) {
    super(`token refused: ${reason}`);
    this.reason = reason;
  }
}
