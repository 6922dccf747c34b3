import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../client.js';

export type Affiliate = AdminOutputs['affiliate']['search']['data'][number];

/** The cache key of everything read of affiliates. */
export const AFFILIATES_KEY = ['affiliates'] as const;

/** An affiliate; null for a member who is not one. */
export function useAffiliate(memberId: number) {
  return useQuery({
    queryKey: [...AFFILIATES_KEY, memberId],
    queryFn: async ({ signal }) => {
      const { data } = await gatehouse.api.affiliate.search.query({ search: String(memberId) }, { signal });
      return data.find((each) => each.memberId === memberId) ?? null;
    },
  });
}
