import { isGatehouseError, type MainClient } from '@gatehouse/client-sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

let isOver = false;

const listeners = new Set<() => void>();

function setOver(next: boolean): void {
  if (next === isOver) return;
  isOver = next;
  for (const listener of listeners) listener();
}

export const isSessionOver = (): boolean => isOver;

const tellSessionOver = (): void => setOver(true);

export const tellSessionBack = (): void => setOver(false);

export function watchSessionOver(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Watches how the session ends and comes back: by the service, or in another tab.
 * @param onReturn somebody signed in elsewhere, who may be another person
 */
export function watchSession(client: ServiceClient, onReturn: () => void): () => void {
  return client.subscribe(({ isSignedIn, cause }) => {
    if (cause === 'refused' || (cause === 'elsewhere' && !isSignedIn)) setOver(true);
    if (isSignedIn && cause !== 'refused') onReturn();
  });
}

/** What sessions and proofs need of a client: both services have it. */
export interface ServiceClient extends Pick<MainClient, 'subscribe'> {
  signIn(
    credentials: { readonly email: string; readonly password: string },
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
  readonly api: Pick<MainClient['api'], 'verification'> & {
    readonly session: {
      readonly me: { query(): Promise<{ readonly member: { readonly id: number } }> };
    };
  };
}

interface AskedWho {
  readonly data: { readonly member: { readonly id: number } } | undefined;
  readonly error: Error | null;
}

/**
 * Leaves a page when nobody is signed in, or somebody else is: the cookie may become theirs at any time, and the content of the
 * page must not.
 * @param askToSignIn goes to the sign-in, and returns here afterwards
 * @returns whether the page still belongs to the person who opened it
 */
export function useOwner(
  { data, error }: AskedWho,
  { home, askToSignIn }: { readonly home: string; readonly askToSignIn: () => void },
): boolean {
  const [ownerId, setOwnerId] = useState<number>();
  if (data !== undefined && ownerId === undefined) setOwnerId(data.member.id);
  const isNobody = data === undefined && isGatehouseError(error, 'unauthorized');
  const isTaken = data !== undefined && ownerId !== undefined && data.member.id !== ownerId;
  useEffect(() => {
    if (isNobody) askToSignIn();
    if (isTaken) location.assign(home);
  }, [isNobody, isTaken, askToSignIn, home]);
  return !isNobody && !isTaken;
}

/** How long data stays fresh; a change names the data it makes stale. */
const FRESH_MS = 10_000;

/** Everything that was read. The client of the service retries. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isGatehouseError(error, 'unauthorized')) tellSessionOver();
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: FRESH_MS, networkMode: 'always' },
  },
});
