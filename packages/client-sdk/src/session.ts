import { randomText } from './random-text.js';
import { createServiceClock } from './service-clock.js';
import { keptSession, tokenLife } from './token-life.js';
import type { TokenStore } from './token-stores.js';
import { NO_STORE_MESSAGE } from './token-stores.js';

/** Why the session of a client has changed. */
export type SessionCause =
  /** This client signed in. */
  | 'signedIn'
  /** This client signed out. */
  | 'signedOut'
  /** The session expired, or the service no longer accepts it: it was revoked, or the member is gone. */
  | 'refused'
  /** Another tab signed in or out, or refreshed the session. */
  | 'elsewhere';

export interface SessionChange {
  readonly isSignedIn: boolean;
  readonly cause: SessionCause;
}

/** A session as the service answers it. Without a token it is in a cookie. */
export interface KeptSession {
  readonly token?: string | undefined;
  /** An ISO 8601 instant; in cookie mode the store keeps it. */
  readonly expiresAt?: string | undefined;
}

/** The session that a client shares with all clients from `withAccount`. */
export interface Session {
  /** Whether the browser keeps the token in a cookie. */
  readonly isInCookie: boolean;
  /** The token to send; null without one, and in cookie mode. */
  readonly token: string | null;
  /** What the store has: the token or, in cookie mode, when the session ends. */
  readonly held: string | null;
  /** Another number after each sign-in and sign-out, here or elsewhere. It outlives a refresh. */
  readonly signIn: number;
  /** Whether it is past half of its life. */
  isDue(): boolean;
  /** @throws {Error} where there is no store to keep a session in */
  requireStore(): void;
  /** Takes the `Date` header of an answer: sessions are as old as the service says. */
  hearTime(date: string | null): void;
  begin(session: KeptSession): void;
  /**
   * Replaces the stored session by the refreshed one, unless it has changed meanwhile. Listeners are notified only if nothing was
   * stored: the cookie of a browser can have a session that its store does not know.
   */
  renew(held: string | null, session: KeptSession): void;
  /** Removes a session that the service has ended, unless another sign-in has replaced it. */
  end(signIn: number): void;
  /** Removes a refused session, unless another has replaced it. */
  refuse(held: string): void;
  subscribe(listener: (change: SessionChange) => void): () => void;
}

/** The longest delay that timers support. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A session over a store. It watches the store while it has listeners. Without a store it keeps nothing. */
export function createSession(store: TokenStore | undefined, isInCookie = false): Session {
  const listeners = new Set<(change: SessionChange) => void>();
  let stopWatching: (() => void) | undefined;

  function get(): string | null {
    const held = store?.get() ?? null;
    return held !== null && isInCookie && keptSession(held) === undefined ? null : held;
  }

  const clock = createServiceClock();
  let seen = get();
  let signIn = 0;

  let told = 0;
  let expiry: ReturnType<typeof setTimeout> | undefined;

  /** In cookie mode the store names the sign-in. */
  const nameOf = (held: string | null) => (isInCookie ? keptSession(held)?.signIn : held) ?? null;

  const lifeOf = (held: string | null) => (held === null ? undefined : tokenLife(held, isInCookie));

  /** While there are listeners, a session that expires is refused without a call. */
  function watchExpiry(): void {
    clearTimeout(expiry);
    const held = get();
    const waitMs = (lifeOf(held)?.expiresAtMs ?? 0) - clock.now();
    if (held === null || listeners.size === 0 || waitMs <= 0) return;
    expiry = setTimeout(
      () => {
        if (get() === held && waitMs <= MAX_TIMER_MS) set(null, 'refused');
        else watchExpiry();
      },
      Math.min(waitMs, MAX_TIMER_MS),
    );
    // A program in Node does not wait for it.
    if (typeof expiry === 'object') expiry.unref();
  }

  function countSignIn(): number {
    const held = get();
    if (nameOf(held) !== nameOf(seen)) signIn += 1;
    seen = held;
    return signIn;
  }

  function tell(cause: SessionCause): void {
    told = countSignIn();
    watchExpiry();
    const change = { isSignedIn: get() !== null, cause };
    for (const listener of listeners) listener(change);
  }

  function set(next: string | null, cause: SessionCause): void {
    if (next === get()) return;
    requireStore().set(next);
    tell(cause);
  }

  function requireStore(): TokenStore {
    if (store !== undefined) return store;
    throw new Error(NO_STORE_MESSAGE);
  }

  function toHeld({ token, expiresAt }: KeptSession, name = randomText()): string {
    if (!isInCookie) {
      if (token === undefined) throw new Error('The answer has no token');
      return token;
    }
    if (expiresAt === undefined) throw new Error('In cookie mode a session is no token');
    return JSON.stringify({ issuedAtMs: clock.now(), expiresAtMs: Date.parse(expiresAt), signIn: name });
  }

  return {
    isInCookie,
    get token() {
      return isInCookie ? null : get();
    },
    get held() {
      return get();
    },
    get signIn() {
      return countSignIn();
    },
    isDue() {
      const life = lifeOf(get());
      return life !== undefined && clock.now() >= (life.issuedAtMs + life.expiresAtMs) / 2;
    },
    requireStore,
    hearTime(date) {
      if (clock.hear(date)) watchExpiry();
    },
    begin(session) {
      set(toHeld(session), 'signedIn');
    },
    renew(held, session) {
      if (get() !== held) return;
      if (held === null) {
        set(toHeld(session), 'signedIn');
        return;
      }
      countSignIn();
      requireStore().set(toHeld(session, nameOf(held) ?? undefined));
      seen = get();
      watchExpiry();
    },
    end(ended) {
      if (countSignIn() !== ended) return;
      if (get() !== null) {
        set(null, 'signedOut');
        return;
      }
      // The store did not know the cookie; calls may be waiting in its session, and its listeners know of it.
      signIn += 1;
      tell('signedOut');
    },
    refuse(held) {
      if (get() === held) set(null, 'refused');
    },
    subscribe(listener) {
      // Wrapped, so that the same function can subscribe twice.
      const own = (change: SessionChange) => {
        listener(change);
      };
      listeners.add(own);
      watchExpiry();
      if (listeners.size === 1) told = countSignIn();
      stopWatching ??= store?.subscribe?.(() => {
        // In cookie mode a refresh in another tab is not another sign-in, and is not reported.
        if (countSignIn() !== told || !isInCookie) tell('elsewhere');
        else watchExpiry();
      });
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        clearTimeout(expiry);
        stopWatching?.();
        stopWatching = undefined;
      };
    },
  };
}
