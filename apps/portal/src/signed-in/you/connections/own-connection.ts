import type { MainOutputs } from '@gatehouse/client-sdk';

export type OwnConnection = MainOutputs['social']['list']['data'][number];

export const CONNECTIONS_KEY = ['you', 'connections'] as const;
