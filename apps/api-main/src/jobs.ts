import type { Kit } from '@gatehouse/features/app/kit';
import { loginFailureRetention } from '@gatehouse/features/login/login-failure-retention';
import { mailDelivery } from '@gatehouse/features/mail/mail-delivery';
import { mailRetention } from '@gatehouse/features/mail/mail-retention';
import { accessRetention } from '@gatehouse/features/session/access-retention';
import type { Job } from '@gatehouse/runtime/jobs/job';
import { webhookRetention } from './billing/spent-deliveries.js';
import { trialEnds } from './billing/trial-ends.js';
import { webhookWorker } from './billing/webhook-worker.js';
import { learnNewNames } from './member/learn-new-names.js';
import { connectionRenewal } from './social/connection-renewal.js';
import { connectionResealing } from './social/connection-resealing.js';
import { socialRetention } from './social/social-retention.js';

/** What this deployment does beside requests. */
export const jobs: readonly Job<Kit>[] = [
  accessRetention,
  loginFailureRetention,
  connectionRenewal,
  connectionResealing,
  mailDelivery,
  mailRetention,
  learnNewNames,
  socialRetention,
  trialEnds,
  webhookRetention,
  webhookWorker,
];
