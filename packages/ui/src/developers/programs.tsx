import type { MainApi, MainOutputs } from '@gatehouse/client-sdk';
import { createContext, useContext } from 'react';
import type { Choice } from '../form/select-field.js';

export type Machine = MainOutputs['machine']['list']['data'][number];

export type Key = MainOutputs['key']['list']['data'][number];

/** What a key may be allowed. */
export interface Scope {
  readonly name: string;
  /** What it allows; absent if the name says it. */
  readonly about?: string | undefined;
}

/** The calls about programs that both services have. */
interface ProgramsApi {
  readonly key: Pick<MainApi['key'], 'create' | 'list' | 'revoke' | 'rotate'>;
  readonly machine: Pick<MainApi['machine'], 'list' | 'remove'>;
  readonly event: Pick<MainApi['event'], 'catalogue'>;
  readonly eventDelivery: MainApi['eventDelivery'];
  readonly eventEndpoint: MainApi['eventEndpoint'];
}

/** The programs of an account, of the deployment, or of a partner. */
export interface Programs {
  readonly api: ProgramsApi;
  /** The cache key of everything read of them. */
  readonly key: readonly unknown[];
  /** Whether they are those of the deployment, whose endpoints also get the events of sessions. */
  readonly isDeployment?: true;
  /** Whether they are those of a partner, which staff look after. */
  readonly isPartner?: true;
  /** Makes a key, with the required proofs. */
  readonly proving: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export const ProgramsContext = createContext<Programs | undefined>(undefined);

export function usePrograms(): Programs {
  const programs = useContext(ProgramsContext);
  if (programs === undefined) throw new Error('This is not within a screen about programs');
  return programs;
}

/** What machines are, and what their keys may do. */
export interface MachineRules {
  /** Texts that differ between accounts and the staff. */
  readonly words: {
    readonly editLead: string;
    readonly removeEffect: string;
    readonly keyLead: string;
  };
  /** The roles that a machine may have, as choices; absent if machines have none. */
  readonly role?: {
    readonly choices: readonly Choice[];
    /** The role of a machine, or the initial role of a new one. */
    chosen(machine: Machine | undefined): string;
    /** The name of a machine's role, or that it has none. */
    nameOf(machine: Machine): string;
  };
  scopesOf(machine: Machine): readonly Scope[];
  /** Whether a key without scopes is useful. */
  readonly needsNoScope: boolean;
  save(
    wanted: { readonly machineId?: number; readonly name: string; readonly role: string },
    signal: AbortSignal,
  ): Promise<{ readonly data: { readonly name: string } }>;
}
