import type { Services } from '@gatehouse/features/app/services';
import { loginFailureRetention } from '@gatehouse/features/login/login-failure-retention';
import { mailDelivery } from '@gatehouse/features/mail/mail-delivery';
import { mailRetention } from '@gatehouse/features/mail/mail-retention';
import { accessRetention } from '@gatehouse/features/session/access-retention';
import { nodeReport } from '@gatehouse/features/statistics/node-report';
import { statisticsCounting } from '@gatehouse/features/statistics/statistics-counting';
import type { Job } from '@gatehouse/runtime/jobs/job';

/** The jobs of this deployment. */
export const jobs: readonly Job<Services>[] = [
  accessRetention,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
  nodeReport,
  statisticsCounting,
];
