import { queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { queryClient } from './page-session.js';

/** How often an idle page checks whether its session is still valid. */
const LOOKS_EVERY_MS = 60_000;

/** Asks who is signed in, and gives it to every screen within the frame. */
export function whoIsHere<Me>(ask: (signal: AbortSignal) => Promise<Me>) {
  const meQuery = queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => ask(signal),
    // The query runs before the frame, which shows why it failed.
    retryOnMount: false,
    refetchInterval: LOOKS_EVERY_MS,
    refetchOnWindowFocus: 'always',
  });
  const MeContext = createContext<Me | undefined>(undefined);
  function useMe(): Me {
    const me = useContext(MeContext);
    if (me === undefined) throw new Error('This is not within the frame');
    return me;
  }
  /** Asks before the first screen is shown. The frame says why it failed. */
  function askAhead(): void {
    if (queryClient.getQueryState(meQuery.queryKey) === undefined)
      queryClient.query(meQuery).catch(() => undefined);
  }
  return { meQuery, MeContext, useMe, askAhead };
}

interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** The displayed name of a person: their names, else their username. */
export function shownName({ firstName, lastName, username }: Named): string {
  return `${firstName} ${lastName}`.trim() || username;
}
