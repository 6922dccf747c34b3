import { type TokenRefusal, TokenRefused } from '../src/tokens/token-refused.js';

/** The reason for which opening a token was refused; `opened` where it was not. Other exceptions pass. */
export function refusalOf(open: () => unknown): TokenRefusal | 'opened' {
  try {
    open();
    return 'opened';
  } catch (error) {
    if (error instanceof TokenRefused) return error.reason;
    throw error;
  }
}
