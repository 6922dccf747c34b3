import { accessRetention, type Job, type Kit, mailDelivery, mailRetention } from '@gatehouse/api-kit';

/** What this deployment does beside requests. */
export const jobs: readonly Job<Kit>[] = [accessRetention, mailDelivery, mailRetention];
