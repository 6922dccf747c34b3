import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { findFreePort } from '@gatehouse/testkit';
import { type ClientMetadata, Provider } from 'oidc-provider';

type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';

/** An identity provider of panva's library, whose pages take every name and password. */
export interface OidcIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Where somebody signs out of it and of every service, without any of these. */
  readonly endUrl: string;
  /** Says what it knows of our service. */
  register(client: ClientMetadata): void;
  /** Signs with these keys. It publishes them unless others are named. */
  use(keys: readonly JsonWebKey[], published?: readonly JsonWebKey[]): void;
  makeKey(algorithm?: Algorithm): JsonWebKey;
}

/** @param claimsOf the claims about a person, by their name there */
export async function startOidcIdentityProvider(
  claimsOf: (name: string) => Readonly<Record<string, unknown>>,
  { hasClaimsInIdToken = false }: { hasClaimsInIdToken?: boolean } = {},
): Promise<OidcIdentityProvider> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const cookieKey = randomUUID();
  let client: ClientMetadata | undefined;
  let keys: readonly JsonWebKey[] = [];
  let published: readonly JsonWebKey[] = [];
  const open = (of: readonly JsonWebKey[]) => {
    const provider = new Provider(issuer, {
      clients: client === undefined ? [] : [client],
      jwks: { keys: [...of] },
      cookies: { keys: [cookieKey] },
      conformIdTokenClaims: !hasClaimsInIdToken,
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'] },
      claims: {
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'email', 'profile', 'groups'],
      features: {
        devInteractions: { enabled: true },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      // It would refuse our service on this machine.
      fetch: (url, options) =>
        fetch(
          url,
          Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name !== 'dispatcher')),
        ),
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...claimsOf(accountId) }),
      }),
    });
    return provider.callback();
  };
  let answer = open([]);
  let answerKeys = answer;
  const reopen = () => {
    answer = open(keys);
    answerKeys = keys === published ? answer : open(published);
  };
  const server = createServer((request, response) => {
    void (request.url === '/jwks' ? answerKeys : answer)(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const provider: OidcIdentityProvider = {
    issuer,
    endUrl: `${issuer}/session/end`,
    register(made) {
      client = made;
      reopen();
    },
    use(signing, others = signing) {
      keys = signing;
      published = others;
      reopen();
    },
    makeKey(algorithm = 'RS256') {
      const { privateKey } =
        algorithm === 'ES256'
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
          : algorithm === 'EdDSA'
            ? generateKeyPairSync('ed25519')
            : generateKeyPairSync('rsa', { modulusLength: 2_048 });
      return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: algorithm };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  provider.use([provider.makeKey()]);
  return provider;
}
