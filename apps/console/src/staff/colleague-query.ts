import type { AdminInputs, AdminOutputs } from '@gatehouse/client-sdk/admin';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { gatehouse } from '../client.js';

export type Colleague = AdminOutputs['personnel']['detail']['data'];

const colleagueKey = (personnelId: number) => ['staff', personnelId] as const;

export function useColleague(personnelId: number) {
  return useQuery({
    queryKey: colleagueKey(personnelId),
    queryFn: async ({ signal }) =>
      (await gatehouse.api.personnel.detail.query({ personnelId }, { signal })).data,
  });
}

/** Changes a colleague, and makes stale what was read of them. */
export async function saveColleague(
  queries: QueryClient,
  change: AdminInputs['personnel']['save'] & { readonly personnelId: number },
  signal: AbortSignal,
): Promise<void> {
  await withReauth(() => gatehouse.api.personnel.save.mutate(change, { signal }));
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['staff'] }),
    queries.invalidateQueries({ queryKey: ['member', change.personnelId] }),
  ]);
}
