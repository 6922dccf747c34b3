import type { TokenStore } from './token-store.js';

/** Why the session of a client has changed. */
export type SessionCause =
  /** This client signed in. */
  | 'signedIn'
  /** This client signed out. */
  | 'signedOut'
  /** The service no longer accepts the token: it expired, was revoked, or the member is gone. */
  | 'refused'
  /** Another tab signed in or out. */
  | 'elsewhere';

export interface SessionChange {
  readonly isSignedIn: boolean;
  readonly cause: SessionCause;
}

/** The session that a client shares with all clients from `withAccount`. */
export interface Session {
  readonly token: string | null;
  set(token: string | null, cause: SessionCause): void;
  /** Removes a refused token, unless another has replaced it. */
  refuse(token: string): void;
  subscribe(listener: (change: SessionChange) => void): () => void;
}

/** A session over a store. It watches the store while it has listeners. */
export function createSession(store: TokenStore): Session {
  const listeners = new Set<(change: SessionChange) => void>();
  let stopWatching: (() => void) | undefined;

  function tell(cause: SessionCause): void {
    const change = { isSignedIn: store.get() !== null, cause };
    for (const listener of listeners) listener(change);
  }

  function set(token: string | null, cause: SessionCause): void {
    if (token === store.get()) return;
    store.set(token);
    tell(cause);
  }

  return {
    get token() {
      return store.get();
    },
    set,
    refuse(token) {
      if (store.get() === token) set(null, 'refused');
    },
    subscribe(listener) {
      // Wrapped, so that the same function can subscribe twice.
      const own = (change: SessionChange) => {
        listener(change);
      };
      listeners.add(own);
      stopWatching ??= store.subscribe?.(() => {
        tell('elsewhere');
      });
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        stopWatching?.();
        stopWatching = undefined;
      };
    },
  };
}
