import { accessRetention, type Job, mailDelivery, mailRetention } from '@gatehouse/api-kit';

/** What this deployment does beside requests. */
export const jobs: readonly Job[] = [accessRetention, mailDelivery, mailRetention];
