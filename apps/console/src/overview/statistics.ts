import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { gatehouse } from '../client.js';
import { SPANS, type Span } from './span.js';

export type Statistics = AdminOutputs['service']['statistics']['data'];

const DAY_MS = 86_400_000;
/** How often the figures are asked for again. */
const AGAIN_MS = 30_000;

/** The time zone in which days are cut: the reader's. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useStatistics(days: Span) {
  return useQuery({
    queryKey: ['statistics', days],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const from = new Date(now - (days - 1) * DAY_MS).toISOString();
      const asked = { from, until: new Date(now).toISOString(), zone: zone(), bucket: SPANS[days] };
      return (await gatehouse.api.service.statistics.query(asked, { signal })).data;
    },
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}
