import { cookieNames } from '../server/cookie-names.js';
import { credentialsIn } from './credentials.js';
import { unavailable, type Verified, type Verifier, verifierOf } from './verified.js';

/** A caller of a test. What is left out is empty. */
export type TestCaller = Partial<Verified> & Pick<Verified, 'member'>;

/**
 * A verifier for tests of a server, without a running service.
 * @param callers who calls, by the value of the `Token` header; `unavailable` for a service that cannot be asked
 */
export function createTestVerifier(callers: Readonly<Record<string, TestCaller | 'unavailable'>>): Verifier {
  const names = { tokenHeader: 'Token', cookies: cookieNames(true, ''), isSecure: true, origins: [] };
  return verifierOf((request) => {
    const { headers } = credentialsIn(request, names) ?? {};
    const token = headers?.['token'] ?? headers?.['authorization']?.replace(/^Bearer +/i, '') ?? '';
    const caller = Object.hasOwn(callers, token) ? callers[token] : undefined;
    if (caller === undefined) return Promise.resolve({ status: 401, code: 'unauthorized' });
    if (caller === 'unavailable') return Promise.reject(unavailable(new TypeError('As the test wants')));
    return Promise.resolve({ ...NOBODY_IN_AN_ACCOUNT, ...caller });
  });
}

const NOBODY_IN_AN_ACCOUNT = {
  account: null,
  role: null,
  permissions: [],
  subscription: null,
  level: 1,
  actor: null,
};
