import {
  accessRetention,
  type Job,
  type Kit,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
} from '@gatehouse/api-kit';

/** What this deployment does beside requests. */
export const jobs: readonly Job<Kit>[] = [
  accessRetention,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
];
