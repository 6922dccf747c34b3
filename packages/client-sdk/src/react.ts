'use client';

export {
  type UsedAccount,
  type UsedMe,
  type UsedSession,
  useAccount,
  useMe,
  usePermission,
  useSession,
} from './react/hooks.js';
export { GatehouseProvider, type GatehouseProviderProps } from './react/provider.js';
export type { InitialSession, Me } from './session-view.js';
