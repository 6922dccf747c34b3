import type { Logger, SecurityEventName } from '../log/log.js';
import type { LoginOutcome, Metrics } from './create-metrics.js';

const OUTCOMES: Partial<Record<SecurityEventName, LoginOutcome>> = {
  'login.ok': 'ok',
  'login.failed': 'failed',
  'login.limited': 'limited',
};

/** A log that also counts logins, so that metrics and log always agree. */
export function countedLog(log: Logger, metrics: Metrics): Logger {
  return {
    ...log,
    security(event) {
      const outcome = OUTCOMES[event.event];
      if (outcome !== undefined) metrics.countLogin(outcome);
      log.security(event);
    },
  };
}
