import { fitsBcrypt, normalizePassword } from './password-characters.js';

/** The kind of a stored password, which decides how it is compared. */
export type StoredPassword =
  /** A bcrypt hash of cost 10 to 12. */
  | { readonly kind: 'bcrypt'; readonly cost: number; readonly hash: string }
  /** A bcrypt hash of cost 4 to 9 from another system, still to be wrapped. */
  | { readonly kind: 'weak'; readonly cost: number; readonly hash: string }
  /** A weak hash that was hashed again: the salt and cost of the inner hash, and an outer hash of cost 10. */
  | { readonly kind: 'wrapped'; readonly cost: number; readonly salt: string; readonly hash: string }
  /** Never compared: a damaged hash, one of another scheme or of an unsupported cost, or any other text. */
  | { readonly kind: 'unknown' };

/** The prefix of a wrapped hash. */
export const WRAPPED = '$wrapped';

const BCRYPT = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const WRAPPED_HASH = /^(\$2[ab]\$(0[4-9])\$[./A-Za-z0-9]{22})(\$2b\$10\$[./A-Za-z0-9]{53})$/;
const WEAKEST = 4;
const OWN = 10;
const STRONGEST = 12;

/** Reads a stored value. PHP's `$2y$` is the same algorithm as `$2b$` and is returned as `$2b$`. */
export function readStoredPassword(stored: string): StoredPassword {
  const shape = stored.length === 60 ? BCRYPT.exec(stored) : null;
  if (shape) {
    const cost = Number(shape[1]);
    if (stored.startsWith('$2x$') || cost < WEAKEST || cost > STRONGEST) return { kind: 'unknown' };
    const hash = stored.startsWith('$2y$') ? `$2b$${stored.slice(4)}` : stored;
    return { kind: cost < OWN ? 'weak' : 'bcrypt', cost, hash };
  }
  if (stored.startsWith(WRAPPED)) {
    const [, salt, cost, hash] = WRAPPED_HASH.exec(stored.slice(WRAPPED.length)) ?? [];
    if (salt !== undefined && hash !== undefined) return { kind: 'wrapped', cost: Number(cost), salt, hash };
  }
  return { kind: 'unknown' };
}

/**
 * The password of a row that was declared to be plain text, to be hashed before it is compared. Undefined for every other
 * stored value: an unknown text may be the hash of another system, and everybody who has seen it would sign in with it.
 */
export function plainPassword(stored: {
  readonly password: string;
  readonly passwordIsPlain: boolean;
}): string | undefined {
  return stored.passwordIsPlain && mayBePlain(stored.password) ? stored.password : undefined;
}

/** Whether a text can be a declared plain password: no hash of ours, and short enough for bcrypt. */
export function mayBePlain(text: string): boolean {
  return text !== '' && readStoredPassword(text).kind === 'unknown' && fitsBcrypt(normalizePassword(text));
}
