import type { MainInputs, MainOutputs } from '@gatehouse/client-sdk';
import { createContext, useContext } from 'react';
import type { Scope } from './programs.js';

/** What only staff decide, about an application of the deployment. */
interface StaffFields {
  readonly skipConsent?: boolean;
  readonly pkceExempt?: boolean;
}

export type Application = MainOutputs['app']['list']['data'][number] & StaffFields;

export type ApplicationDetail = MainOutputs['app']['detail']['data'] & StaffFields;

export type ApplicationSecret = ApplicationDetail['secrets'][number];

interface CallOptions {
  readonly signal: AbortSignal;
}

type Query<Input, Output> = {
  query(input: Input, options: CallOptions): Promise<Output>;
};

type Mutation<Input, Output> = {
  mutate(input: Input, options: CallOptions): Promise<Output>;
};

type Wanted = MainInputs['app']['save'] & StaffFields;

interface Named {
  readonly applicationId: number;
}

/** The calls about applications that both services have. */
interface ApplicationsApi {
  readonly list: Query<MainInputs['app']['list'], MainOutputs['app']['list']>;
  readonly detail: Query<Named, { readonly data: ApplicationDetail }>;
  readonly save: Mutation<Wanted, { readonly data: Application }>;
  readonly remove: Mutation<Named, unknown>;
  readonly addSecret: Mutation<Named, { readonly secret: string }>;
  readonly removeSecret: Mutation<Named & { readonly secretId: number }, unknown>;
}

/** The applications of an account or of the deployment, and what they may be given. */
interface Applications {
  readonly api: ApplicationsApi;
  /** The cache key of everything read of them. */
  readonly key: readonly unknown[];
  /** Whether they are those of the deployment, which may skip consent. */
  readonly isDeployment?: true;
  /** The permissions that they may be given. */
  readonly permissions: readonly Scope[];
  /** The machines that one may act as. */
  readonly machines: (
    signal: AbortSignal,
  ) => Promise<readonly { readonly id: number; readonly name: string }[]>;
}

export const ApplicationsContext = createContext<Applications | undefined>(undefined);

export function useApplications(): Applications {
  const applications = useContext(ApplicationsContext);
  if (applications === undefined) throw new Error('This is not within a screen about applications');
  return applications;
}
