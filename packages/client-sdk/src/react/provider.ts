import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { MainClient } from '../main.js';
import {
  createSessionView,
  type InitialSession,
  type SessionState,
  type SessionView,
} from '../session-view.js';

const View = createContext<SessionView | undefined>(undefined);

export interface GatehouseProviderProps {
  /** One for the whole page, made outside components. On a server it is only named, never asked. */
  client: MainClient;
  /** What the server found out, so that the first picture has it. Later values change nothing. */
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

export function useSessionState(): SessionState & { readonly view: SessionView } {
  const view = useView();
  const state = useSyncExternalStore(view.subscribe, view.getState, view.getServerState);
  return { ...state, view };
}
