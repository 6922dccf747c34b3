import type { MainOutputs } from '@gatehouse/client-sdk';

export type OwnPasskey = MainOutputs['passkey']['list']['list'][number];
