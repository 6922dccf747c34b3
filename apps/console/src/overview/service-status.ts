import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { t } from '../words.js';
import { type Statistics, zone } from './statistics.js';

/** What waits longer than this does not just wait its turn. */
const LATE_MS = 10 * 60_000;
/** What was counted before this tells nothing about now. */
const OLD_MS = 10 * 60_000;
/** Until then every node should know that somebody's access has ended. */
const SLOW_MS = 1_000;

/** How each part of the service does. */
export interface Health {
  readonly mails: StatusTone;
  readonly webhooks: StatusTone;
  readonly revocations: StatusTone;
  readonly counting: StatusTone;
}

export function healthOf({ mails, webhooks, revocations, countedAt }: Statistics, nowMs: number): Health {
  const isSlow = revocations !== null && revocations.slowestMs > SLOW_MS;
  const isOld = countedAt === null || nowMs - Date.parse(countedAt) > OLD_MS;
  return {
    mails: toneOf(mails, nowMs),
    webhooks: webhooks === null ? 'ok' : toneOf(webhooks, nowMs),
    revocations: isSlow ? 'error' : 'ok',
    counting: isOld ? 'pending' : 'ok',
  };
}

function toneOf({ waiting, oldestAt }: Statistics['mails'], nowMs: number): StatusTone {
  const isLate = waiting > 0 && oldestAt !== null && nowMs - Date.parse(oldestAt) > LATE_MS;
  return isLate ? 'pending' : 'ok';
}

/** Whether the house stands open: the gravest of what does not go as it should. */
export function serviceStatus(statistics: Statistics, nowMs: number) {
  const { mails, webhooks, revocations, countedAt } = statistics;
  const health = healthOf(statistics, nowMs);
  const as = (tone: StatusTone, title: string, lead: string) => ({ tone, title, lead });
  if (health.revocations === 'error' && revocations !== null)
    return as('error', t('overview.slow', { ms: revocations.slowestMs }), t('overview.slowLead'));
  if (health.webhooks === 'pending' && webhooks !== null)
    return as(
      'pending',
      t('overview.payments', { count: webhooks.waiting }),
      waitingSince(webhooks.oldestAt),
    );
  if (health.mails === 'pending')
    return as('pending', t('overview.mails', { count: mails.waiting }), waitingSince(mails.oldestAt));
  if (health.counting === 'pending')
    return countedAt === null
      ? as('pending', t('overview.never'), t('overview.neverLead'))
      : as('pending', t('overview.uncounted'), t('overview.counted', { time: shownTime(countedAt) }));
  return as('ok', t('overview.open'), t('overview.openLead', { zone: zone() }));
}

const waitingSince = (oldestAt: string | null): string =>
  oldestAt === null ? '' : t('overview.since', { time: shownTime(oldestAt) });
