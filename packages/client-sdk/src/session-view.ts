import type { MainClient, MainOutputs, Membership } from './main.js';
import { watchRecovery, writableStorage } from './page-window.js';
import type { SessionCause, SessionChange } from './session.js';

/** The signed-in member with their accounts, as `session.me` answers. */
export interface Me extends Readonly<MainOutputs['session']['me']> {}

/** The server's result for a page that it renders. */
export interface InitialSession {
  /** The answer of `session.me`; null without a session. */
  readonly me: Me | null;
  /** The account that the page acts in. */
  readonly accountId?: number | null | undefined;
}

/** What components see. It is replaced whole, never changed. */
export interface SessionState {
  /** Undefined while unknown, as on a server without an initial state. */
  readonly isSignedIn: boolean | undefined;
  /** Why it changed last in this page. */
  readonly cause: SessionCause | undefined;
  readonly me: Me | undefined;
  /** The error of asking for the session or of loading `me`. */
  readonly error: unknown;
  /** The selected account; undefined if none was chosen. */
  readonly selected: number | null | undefined;
}

/** The session of a client as a store that a framework watches: `useSyncExternalStore` of React, a `shallowRef` of Vue. */
export interface SessionView {
  readonly client: MainClient;
  subscribe(listener: () => void): () => void;
  getState(): SessionState;
  /** The state for rendering on a server and for hydration. */
  getServerState(): SessionState;
  /** Loads `me` unless it is loaded, loading or has failed. */
  load(): void;
  /** Asks for the session if none is known, and loads `me` again. The present state stays until the answer comes. */
  reload(): Promise<void>;
  select(accountId: number | null): void;
}

const KEY = 'gatehouse.account';

const UNKNOWN: SessionState = {
  isSignedIn: undefined,
  cause: undefined,
  me: undefined,
  error: undefined,
  selected: undefined,
};

/**
 * The session of a client, for the components of a page. It asks the service once somebody subscribes; making one and throwing it
 * away changes nothing.
 */
export function createSessionView(client: MainClient, initial?: InitialSession): SessionView {
  const serverState: SessionState = initial
    ? {
        ...UNKNOWN,
        isSignedIn: initial.me !== null,
        me: initial.me ?? undefined,
        selected: initial.accountId,
      }
    : UNKNOWN;
  let state: SessionState | undefined;
  let loading: Promise<void> | undefined;
  /** Who was shown last. */
  let shownId = initial?.me?.member.id;
  const listeners = new Set<() => void>();

  /** Whether the client knows of the session. In cookie mode the browser may have one that a server began. */
  function isKnown(): boolean {
    return client.isSignedIn || client.session === 'token';
  }

  function get(): SessionState {
    state ??= initial
      ? { ...serverState, selected: initial.accountId === undefined ? storedAccount() : initial.accountId }
      : { ...UNKNOWN, isSignedIn: isKnown() ? client.isSignedIn : undefined, selected: storedAccount() };
    return state;
  }

  function change(next: Partial<SessionState>): void {
    state = { ...get(), ...next };
    for (const listener of listeners) listener();
  }

  /** Whether the last request got no answer. */
  let isUnanswered = false;

  function loadMe(): Promise<void> {
    const own = client.api.session.me
      .query()
      .then(
        (me) => ({ me, error: undefined }),
        (error: unknown) => ({ error }),
      )
      .then((found) => {
        // A newer session or call takes precedence.
        if (loading !== own) return;
        loading = undefined;
        isUnanswered = !('me' in found);
        const before = shownId;
        if ('me' in found) shownId = found.me.member.id;
        // Another member has other accounts.
        const isAnother = before !== undefined && shownId !== before;
        change(isAnother ? { ...found, cause: 'elsewhere', selected: storedAccount() } : found);
      });
    loading = own;
    return own;
  }

  let finding: Promise<void> | undefined;
  let hasSought = false;

  /** Asks the service for a session that the page does not know. */
  function find(): Promise<void> {
    finding ??= client
      .findSession()
      .then(
        (isSignedIn) => ({ isSignedIn }),
        (error: unknown) => ({ error }),
      )
      .then((found) => {
        finding = undefined;
        isUnanswered = 'error' in found;
        const { isSignedIn: before, me, error } = get();
        if ('error' in found) {
          // The member whom the server rendered stays until the service says who is signed in.
          if (me === undefined) change(found);
        } else if (before === true && !found.isSignedIn)
          change({ ...found, cause: 'refused', me: undefined });
        else if (before !== found.isSignedIn || error !== undefined) change({ ...found, error: undefined });
      });
    return finding;
  }

  async function reload(): Promise<void> {
    // Listeners load `me` as soon as they are notified of a session; a request that began earlier may miss a change.
    const begun = isKnown() ? undefined : await find().then(() => loading);
    if (get().isSignedIn === true) await (begun ?? loadMe());
  }

  function onRecovery(): void {
    if (isUnanswered) void reload();
  }

  function hear({ isSignedIn, cause }: SessionChange): void {
    if ((finding !== undefined || cause === 'elsewhere') && isSignedIn && get().me !== undefined) {
      // A member whom the server rendered, or whose token another tab refreshed, stays until the service says who is signed in,
      // so that this page keeps its account. If the service does not answer, it may be another member.
      void loadMe().then(() => {
        if (cause === 'elsewhere' && get().error !== undefined) change({ me: undefined });
      });
      return;
    }
    loading = undefined;
    isUnanswered = false;
    if (!isSignedIn) storeAccount(undefined);
    change({ isSignedIn, cause, me: undefined, error: undefined, selected: storedAccount() });
  }

  let stop: (() => void) | undefined;
  return {
    client,
    subscribe(listener) {
      listeners.add(listener);
      if (stop === undefined) {
        const stopRecovery = watchRecovery(onRecovery);
        const stopChanges = client.subscribe(hear);
        stop = () => {
          stopRecovery();
          stopChanges();
        };
      }
      // Another tab may have signed in or out after the first state was read.
      if (initial === undefined && isKnown() && get().isSignedIn !== client.isSignedIn)
        hear({ isSignedIn: client.isSignedIn, cause: 'elsewhere' });
      // Skipped if a server already found that there is no session.
      if (!hasSought && !isKnown() && initial?.me !== null) {
        hasSought = true;
        void find();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    getState: get,
    getServerState: () => serverState,
    load() {
      const { isSignedIn, me, error } = get();
      if (isSignedIn === true && me === undefined && error === undefined && loading === undefined)
        void loadMe();
    },
    reload,
    select(accountId) {
      storeAccount(accountId);
      change({ selected: accountId });
    },
  };
}

/** The accounts of a member: those they belong to and, for staff, those they help. */
export function accountsOf({ memberships, grants }: Me): Membership[] {
  const own = new Set(memberships.map(({ accountId }) => accountId));
  return [...memberships, ...grants.filter(({ accountId }) => !own.has(accountId))];
}

/** Chosen accounts outlive a reload. */
function storedAccount(): number | null | undefined {
  const text = writableStorage('localStorage')?.getItem(KEY);
  if (text === 'none') return null;
  return text ? Number(text) : undefined;
}

function storeAccount(accountId: number | null | undefined): void {
  const storage = writableStorage('localStorage');
  if (accountId === undefined) storage?.removeItem(KEY);
  else storage?.setItem(KEY, String(accountId ?? 'none'));
}
