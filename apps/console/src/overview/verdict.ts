import type { GateState } from '@gatehouse/ui/parts/gate';
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
  readonly mails: GateState;
  readonly webhooks: GateState;
  readonly revocations: GateState;
  readonly counting: GateState;
}

export function healthOf({ mails, webhooks, revocations, countedAt }: Statistics, nowMs: number): Health {
  const isSlow = revocations !== null && revocations.slowestMs > SLOW_MS;
  const isOld = countedAt === null || nowMs - Date.parse(countedAt) > OLD_MS;
  return {
    mails: gateOf(mails, nowMs),
    webhooks: webhooks === null ? 'open' : gateOf(webhooks, nowMs),
    revocations: isSlow ? 'shut' : 'open',
    counting: isOld ? 'ajar' : 'open',
  };
}

function gateOf({ waiting, oldestAt }: Statistics['mails'], nowMs: number): GateState {
  const isLate = waiting > 0 && oldestAt !== null && nowMs - Date.parse(oldestAt) > LATE_MS;
  return isLate ? 'ajar' : 'open';
}

/** Whether the house stands open: the gravest of what does not go as it should. */
export function verdictOnService(statistics: Statistics, nowMs: number) {
  const { mails, webhooks, revocations, countedAt } = statistics;
  const health = healthOf(statistics, nowMs);
  const as = (state: GateState, title: string, lead: string) => ({ state, title, lead });
  if (health.revocations === 'shut' && revocations !== null)
    return as('shut', t('overview.slow', { ms: revocations.slowestMs }), t('overview.slowLead'));
  if (health.webhooks === 'ajar' && webhooks !== null)
    return as('ajar', t('overview.payments', { count: webhooks.waiting }), waitingSince(webhooks.oldestAt));
  if (health.mails === 'ajar')
    return as('ajar', t('overview.mails', { count: mails.waiting }), waitingSince(mails.oldestAt));
  if (health.counting === 'ajar')
    return countedAt === null
      ? as('ajar', t('overview.never'), t('overview.neverLead'))
      : as('ajar', t('overview.uncounted'), t('overview.counted', { time: shownTime(countedAt) }));
  return as('open', t('overview.open'), t('overview.openLead', { zone: zone() }));
}

const waitingSince = (oldestAt: string | null): string =>
  oldestAt === null ? '' : t('overview.since', { time: shownTime(oldestAt) });
