import { emailVerificationToken } from './email-verification-token.js';
import { partnerLoginToken } from './partner-login-token.js';
import { passwordResetToken } from './password-reset-token.js';
import { sessionToken } from './session-token.js';
import { socialLoginToken } from './social-login-token.js';
import { TokenRefused } from './token-refused.js';

const TYPED_KINDS = [socialLoginToken, partnerLoginToken, emailVerificationToken, passwordResetToken] as const;

/** A payload with its kind, which the payload's `type` names on the wire. */
export type TokenContent = NonNullable<ReturnType<(typeof sessionToken | (typeof TYPED_KINDS)[number])['read']>>;

/**
 * Finds the kind of a payload: without `type` a session, with an unknown one nothing.
 *
 * @throws TokenRefused
 */
export function readPayload(payload: unknown): TokenContent {
  if (typeof payload !== 'object' || payload === null) throw new TokenRefused('payload');
  const content = kindOf(payload).read(payload);
  if (content === undefined) throw new TokenRefused('payload');
  return content;
}

function kindOf(payload: object) {
  if (!('type' in payload)) return sessionToken;
  const kind = TYPED_KINDS.find((each) => each.kind === payload.type);
  if (kind === undefined) throw new TokenRefused('unknown_kind');
  return kind;
}
