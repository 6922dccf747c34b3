import { type Job, mailDelivery, mailRetention } from '@gatehouse/api-kit';
import { learnNewNames } from './member/learn-new-names.js';

/** What this deployment does beside requests. */
export const jobs: readonly Job[] = [mailDelivery, mailRetention, learnNewNames];
