/** Why a token was refused. For the log; a caller is told only that it was. */
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
