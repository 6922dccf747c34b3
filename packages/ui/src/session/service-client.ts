import type { MainClient } from '@gatehouse/client-sdk';

/** What sessions and proofs need of a client: both services have it. */
export interface ServiceClient extends Pick<MainClient, 'subscribe'> {
  readonly api: Pick<MainClient['api'], 'verification'> & {
    readonly session: {
      readonly me: { query(): Promise<{ readonly member: { readonly id: number } }> };
    };
  };
}
