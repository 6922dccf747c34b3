import type { Services } from '../core/context.js';

/** What the redirect URIs of all applications have in common. */
export function redirectUriRules({
  BASE_URL,
  APP_URL,
  ADMIN_URL,
  NODE_ENV,
}: Pick<Services['config'], 'BASE_URL' | 'APP_URL' | 'ADMIN_URL' | 'NODE_ENV'>) {
  const own = [BASE_URL, APP_URL, ...(ADMIN_URL === undefined ? [] : [ADMIN_URL])];
  return {
    ownHosts: new Set(own.map((url) => new URL(url).host)),
    ...(NODE_ENV === 'production' ? {} : { isLocal: true }),
  };
}
