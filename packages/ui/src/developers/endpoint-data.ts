import { useQuery } from '@tanstack/react-query';
import { usePrograms } from './programs.js';

/** The type of test events, which an endpoint gets whatever its types. */
const PING = 'endpoint.ping';

/** The endpoints of the account: few enough to be read at once. */
export function useEndpoints() {
  const { api, key } = usePrograms();
  return useQuery({
    queryKey: [...key, 'endpoints'],
    queryFn: async ({ signal }) => (await api.eventEndpoint.list.query(undefined, { signal })).data,
  });
}

/** The prefix of events that only endpoints of the deployment get. */
const OF_DEPLOYMENT = 'session.';

/** The types of events that an endpoint can get. */
export function useEventTypes() {
  const { api, isDeployment = false } = usePrograms();
  return useQuery({
    queryKey: ['event types'],
    queryFn: async ({ signal }) => (await api.event.catalogue.query(undefined, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    select: (all) =>
      all
        .map(({ type }) => type)
        .filter((type) => type !== PING && (isDeployment || !type.startsWith(OF_DEPLOYMENT))),
  });
}
