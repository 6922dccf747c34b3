import { PROVIDER_KEYS, type ProviderKey } from './dialect.js';
import { DIALECTS } from './dialects.js';

/** The application known to the simulated providers. */
export function simulatedClient(key: ProviderKey): { id: string; secret: string } {
  return { id: `gatehouse-${key}`, secret: `simulated-${key}-client-secret` };
}

/** The variables that make a deployment use this simulator for all six providers. */
export function providerEnvironment(simulatorUrl: string): Record<string, string> {
  return Object.fromEntries(
    PROVIDER_KEYS.flatMap((key) => {
      const { authorizePath, tokenPath, profilePath, organizationsPath } = DIALECTS[key];
      const { id, secret } = simulatedClient(key);
      const base = `${simulatorUrl}/${key}`;
      return [
        ['CLIENT_ID', id],
        ['CLIENT_SECRET', secret],
        ['AUTHORIZATION_URL', `${base}${authorizePath}`],
        ['TOKEN_URL', `${base}${tokenPath}`],
        ['PROFILE_URL', `${base}${profilePath}`],
        ...(organizationsPath === undefined ? [] : [['ORGANIZATIONS_URL', `${base}${organizationsPath}`]]),
      ].map(([name, value]) => [`${key.toUpperCase()}_${name}`, value ?? '']);
    }),
  );
}
