import { isGatehouseError } from '@gatehouse/client-sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { tellSessionOver } from './session-over.js';

/** What was read stays fresh for so long; a change names what it makes stale. */
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
