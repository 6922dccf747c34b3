import type { Kit } from '@gatehouse/features/app/kit';
import { webhookRetention } from '@gatehouse/features/billing/spent-deliveries';
import { trialEnds } from '@gatehouse/features/billing/trial-ends';
import { webhookWorker } from '@gatehouse/features/billing/webhook-worker';
import { loginFailureRetention } from '@gatehouse/features/login/login-failure-retention';
import { mailDelivery } from '@gatehouse/features/mail/mail-delivery';
import { mailRetention } from '@gatehouse/features/mail/mail-retention';
import { learnNewNames } from '@gatehouse/features/member/learn-new-names';
import { accessRetention } from '@gatehouse/features/session/access-retention';
import { connectionRenewal } from '@gatehouse/features/social/connection-renewal';
import { connectionResealing } from '@gatehouse/features/social/connection-resealing';
import { socialRetention } from '@gatehouse/features/social/social-retention';
import type { Job } from '@gatehouse/runtime/jobs/job';

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
