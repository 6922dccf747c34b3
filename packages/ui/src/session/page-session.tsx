import { isGatehouseError, type MainClient } from '@gatehouse/client-sdk';
import { QueryCache, QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { Dialog } from '../parts/dialog.js';
import { t } from '../screen/words.js';
import { watchSignedOut } from './signed-out.js';

let isOver = false;

const listeners = new Set<() => void>();

function setOver(next: boolean): void {
  if (next === isOver) return;
  isOver = next;
  for (const listener of listeners) listener();
}

export const isSessionOver = (): boolean => isOver;

const tellSessionOver = (): void => setOver(true);

const tellSessionBack = (): void => setOver(false);

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
function watchSession(client: ServiceClient, onReturn: () => void): () => void {
  return client.subscribe(({ isSignedIn, cause }) => {
    if (cause === 'refused' || (cause === 'elsewhere' && !isSignedIn)) setOver(true);
    if (cause === 'elsewhere' && isSignedIn) onReturn();
  });
}

/**
 * Says over the page that its session is over. Signing in happens in another tab, in any way, so that what is typed here stays;
 * then this page continues by itself.
 */
export function SessionOverDialog({
  client,
  memberId,
  signIn,
  home,
  isActing = false,
}: {
  readonly client: ServiceClient;
  /** The member whose page it is. */
  readonly memberId: number;
  /** The path of the sign-in. */
  readonly signIn: string;
  readonly home: string;
  /** Whether staff act for the member: an impersonation that is over has its own screen. */
  readonly isActing?: boolean;
}): ReactElement | null {
  const isOver = useSyncExternalStore(watchSessionOver, isSessionOver);
  const queries = useQueryClient();

  useEffect(
    () =>
      watchSession(client, () => {
        client.api.session.me.query().then(
          (me) => {
            // The content of the page belongs to another member.
            if (me.member.id !== memberId) location.assign(home);
            tellSessionBack();
            void queries.invalidateQueries();
          },
          () => undefined,
        );
      }),
    [client, memberId, home, queries],
  );

  // The content of the page belongs to the member who signed out.
  useEffect(() => watchSignedOut(home, () => location.replace(signIn)), [home, signIn]);

  if (!isOver || isActing) return null;
  return (
    <Dialog title={t('over.title')}>
      <p className="text-lead text-quiet">{t('over.lead')}</p>
      <a
        href={signIn}
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-10 items-center justify-center rounded-small border border-harbour bg-harbour px-4 py-2 font-semibold text-on-harbour hover:border-ink hover:bg-ink hover:text-paper"
      >
        {t('over.signIn')}
      </a>
    </Dialog>
  );
}

/** What sessions and proofs need of a client: both services have it. */
export interface ServiceClient extends Pick<MainClient, 'subscribe'> {
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
