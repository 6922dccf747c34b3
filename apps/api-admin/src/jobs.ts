import {
  accessRetention,
  loginFailureRetention,
} from '@gatehouse/features/authentication/authentication-retention';
import type { Services } from '@gatehouse/features/core/context';
import { eventDelivery } from '@gatehouse/features/endpoint/deliver-events';
import { eventQueue } from '@gatehouse/features/endpoint/queue-events';
import { eventRedelivery } from '@gatehouse/features/endpoint/redeliver-events';
import { eventRetention, eventSequence } from '@gatehouse/features/event/event-jobs';
import { mailDelivery } from '@gatehouse/features/mail/mail-delivery';
import { mailRetention } from '@gatehouse/features/mail/mail-retention';
import { nodeReport, statisticsCounting } from '@gatehouse/features/staff/statistics-jobs';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';

/** The jobs of this deployment. */
export const jobs: readonly Job<Services>[] = [
  accessRetention,
  eventDelivery,
  eventQueue,
  eventRedelivery,
  eventRetention,
  eventSequence,
  loginFailureRetention,
  mailDelivery,
  mailRetention,
  nodeReport,
  statisticsCounting,
];
