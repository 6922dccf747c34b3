import { batchOptions } from './batch-options.js';
import type { ClientOptions } from './client-options.js';
import { memoryStore, type TokenStore } from './token-store.js';

/** What a session needs of a deployment's procedures. */
export interface SessionApi {
  readonly login: {
    readonly web: {
      mutate(credentials: { email: string; password: string }): Promise<SignedIn & { token: string }>;
    };
  };
  readonly session: { readonly end: { mutate(): Promise<unknown> } };
}

export interface SignedIn {
  userId: number;
  role: number;
  /** The lowest account the member may act in; `withAccount` selects it. */
  accountId: number | null;
}

export interface GatehouseClient<Api> {
  /** Every procedure of the service, exactly typed. */
  readonly api: Api;
  /** The session token of this client, null when nobody is signed in. */
  readonly token: string | null;
  /** Signs in with a password and keeps the token for the calls that follow. */
  signIn(credentials: { email: string; password: string }): Promise<SignedIn>;
  /** Ends the session at the service and forgets the token. */
  signOut(): Promise<void>;
  /** The same session, acting in one account; null acts in none. */
  withAccount(accountId: number | null): GatehouseClient<Api>;
}

/** A client over the procedures that `connect` makes, holding token and account. */
export function createClient<Api extends SessionApi>(
  connect: (batch: ReturnType<typeof batchOptions>) => Api,
  options: ClientOptions,
  store: TokenStore = options.store ?? memoryStore(),
  accountId: number | null = null,
): GatehouseClient<Api> {
  const api = connect(batchOptions(options, store, accountId));
  return {
    api,
    get token() {
      return store.get();
    },
    async signIn(credentials) {
      const { token, ...signedIn } = await api.login.web.mutate(credentials);
      store.set(token);
      return signedIn;
    },
    async signOut() {
      await api.session.end.mutate();
      store.set(null);
    },
    withAccount: (next) => createClient(connect, options, store, next),
  };
}
