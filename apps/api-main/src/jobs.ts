import { accessRetention, type Job, mailDelivery, mailRetention } from '@gatehouse/api-kit';
import { webhookRetention } from './billing/spent-deliveries.js';
import { trialEnds } from './billing/trial-ends.js';
import { webhookWorker } from './billing/webhook-worker.js';
import { learnNewNames } from './member/learn-new-names.js';

/** What this deployment does beside requests. */
export const jobs: readonly Job[] = [
  accessRetention,
  mailDelivery,
  mailRetention,
  learnNewNames,
  trialEnds,
  webhookRetention,
  webhookWorker,
];
