import type { MainOutputs, SocialProvider } from '@gatehouse/client-sdk';
import { PROVIDER_NAMES } from '../../../signed-out/provider-names.js';

export type OwnConnection = MainOutputs['social']['list']['data'][number];

export const CONNECTIONS_KEY = ['you', 'connections'] as const;

const isProvider = (key: string): key is SocialProvider => Object.hasOwn(PROVIDER_NAMES, key);

/** What a provider calls itself; its key where we do not know it. */
export const nameOfProvider = (key: string): string => (isProvider(key) ? PROVIDER_NAMES[key] : key);
