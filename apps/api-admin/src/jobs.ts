import {
  accessRetention,
  type Kit,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
} from '@gatehouse/api-kit';
import type { Job } from '@gatehouse/runtime/jobs/job';

/** What this deployment does beside requests. */
export const jobs: readonly Job<Kit>[] = [
  accessRetention,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
];
