'use client';

export {
  GatehouseProvider,
  type GatehouseProviderProps,
  type UsedAccount,
  type UsedMe,
  type UsedSession,
  useAccount,
  useMe,
  usePermission,
  useSession,
} from './react/hooks.js';
export type { InitialSession, Me } from './session-view.js';
