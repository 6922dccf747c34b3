import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { MainClient, Membership, Permission } from '../main.js';
import type { SessionCause } from '../session.js';
import {
  accountsOf,
  createSessionView,
  type InitialSession,
  type Me,
  type SessionState,
  type SessionView,
} from '../session-view.js';

const View = createContext<SessionView | undefined>(undefined);

export interface GatehouseProviderProps {
  /** One for the whole page, made outside components. On a server it is only named, never asked. */
  client: MainClient;
  /** The server's result, for the first render. Later values change nothing. */
  initial?: InitialSession | undefined;
  children?: ReactNode;
}

/** Gives components a client and its session. */
export function GatehouseProvider({ client, initial, children }: GatehouseProviderProps): ReactNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `initial` counts at first, as its name says.
  const view = useMemo(() => createSessionView(client, initial), [client]);
  return createElement(View.Provider, { value: view }, children);
}

function useView(): SessionView {
  const view = useContext(View);
  if (view === undefined) throw new Error('Put a GatehouseProvider around the components that use its hooks');
  return view;
}

function useSessionState(): SessionState & { readonly view: SessionView } {
  const view = useView();
  const state = useSyncExternalStore(view.subscribe, view.getState, view.getServerState);
  return { ...state, view };
}

/** Whether a member is signed in. */
export interface UsedSession {
  /**
   * Undefined while unknown: on a server that was told nothing, for the first render of its page, and while the service is asked
   * whether the browser has a cookie. If it cannot be asked, `useMe` has the error, and it is asked again when the network or the
   * person is back, and once a minute.
   */
  isSignedIn: boolean | undefined;
  /** Why it changed last in this page; `refused` if the session expired, or the service ended it. */
  cause: SessionCause | undefined;
  /** The client, acting in the selected account. */
  client: MainClient;
}

/** The session, and the client to sign in, sign out and call with. */
export function useSession(): UsedSession {
  const { isSignedIn, cause } = useSessionState();
  const { client } = useAccount();
  return { isSignedIn, cause, client };
}

/** The signed-in member. */
export interface UsedMe {
  /** Undefined while it loads, and without a session. */
  me: Me | undefined;
  /** What loading failed with. It is tried again when the network or the person is back, once a minute, and by `reload`. */
  error: unknown;
  /** Asks the service again, as after a change. */
  reload(): Promise<void>;
}

/** The signed-in member with their accounts. All components share one call. */
export function useMe(): UsedMe {
  const { me, error, view } = useSessionState();
  // After each change: it does nothing unless something is missing.
  useEffect(view.load);
  return { me, error, reload: view.reload };
}

/** The account that calls act in. */
export interface UsedAccount {
  /** The chosen account, or else the member's first; undefined while unknown, and if there is none. */
  account: Membership | undefined;
  /** All accounts of the member; empty while unknown. */
  accounts: readonly Membership[];
  /** Acts in another account, also after a reload; null in none. */
  select(accountId: number | null): void;
  /** The client, acting in that account. */
  client: MainClient;
}

/** The accounts of the member, and which of them calls act in. */
export function useAccount(): UsedAccount {
  const { me } = useMe();
  const { selected, view } = useSessionState();
  const accounts = useMemo(() => (me === undefined ? [] : accountsOf(me)), [me]);
  const chosen = accounts.find(({ accountId }) => accountId === selected);
  const account = selected === null ? undefined : (chosen ?? accounts[0]);
  const accountId = account?.accountId ?? null;
  const client = useMemo(() => view.client.withAccount(accountId), [view, accountId]);
  return { account, accounts, select: view.select, client };
}

/**
 * Whether the member has a permission in the selected account, to show or hide a button. It protects nothing; the
 * service does. Undefined while unknown.
 */
export function usePermission(permission: Permission): boolean | undefined {
  const { isSignedIn } = useSessionState();
  const { account } = useAccount();
  const { me } = useMe();
  if (isSignedIn === false) return false;
  if (me === undefined) return undefined;
  return account?.permissions.includes(permission) ?? false;
}
