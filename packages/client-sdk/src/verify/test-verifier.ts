import { cookieNames } from '../server/cookie-names.js';
import { credentialsIn } from './credentials.js';
import {
  UNAUTHORIZED,
  unavailable,
  unlessReadOnly,
  type Verified,
  type Verifier,
  verifierOf,
} from './verified.js';

type Account = NonNullable<Verified['account']>;

/** A caller of a test. Omitted fields are empty. */
export type TestCaller = Partial<Omit<Verified, 'member' | 'account'>> & {
  readonly member: Partial<Verified['member']> & Pick<Verified['member'], 'id'>;
  readonly account?: (Partial<Account> & Pick<Account, 'id'>) | null;
};

/**
 * A verifier for tests of a server, without a running service.
 * @param callers who calls, by the value of the `Token` header; `unavailable` for a service that cannot be asked
 */
export function createTestVerifier(callers: Readonly<Record<string, TestCaller | 'unavailable'>>): Verifier {
  const names = { tokenHeader: 'Token', cookies: cookieNames(true, ''), isSecure: true, origins: [] };
  return verifierOf<Verified>((request) => {
    const { headers, isChange = true } = credentialsIn(request, names) ?? {};
    const token = headers?.['token'] ?? headers?.['authorization']?.replace(/^Bearer +/i, '') ?? '';
    const caller = Object.hasOwn(callers, token) ? callers[token] : undefined;
    if (caller === undefined) return Promise.resolve(UNAUTHORIZED);
    if (caller === 'unavailable') return Promise.reject(unavailable(new TypeError('No answer')));
    return Promise.resolve(unlessReadOnly(verifiedOf(caller), isChange));
  });
}

function verifiedOf({ member, account = null, ...more }: TestCaller): Verified {
  return {
    ...NOBODY_IN_AN_ACCOUNT,
    ...more,
    member: { ...NOBODY, ...member },
    account: account && { name: '', ...account },
  };
}

const NOBODY: Omit<Verified['member'], 'id'> = {
  sid: '',
  username: '',
  firstName: '',
  lastName: '',
  email: null,
  role_type: 5,
  role: '',
  emailVerified: false,
  createdAt: '1970-01-01T00:00:00.000Z',
  pendingEmail: null,
  awaits: [],
  hasPassword: false,
  locale: 'en',
};

const NOBODY_IN_AN_ACCOUNT = {
  role: null,
  permissions: [],
  subscription: null,
  level: 1,
  actor: null,
  key: null,
};
