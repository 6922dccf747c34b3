import { isCommitUnknown, type Logger, type SecurityEventName } from '../log/log.js';
import type { LoginOutcome, Metrics } from './create-metrics.js';

const OUTCOMES: Partial<Record<SecurityEventName, LoginOutcome>> = {
  'login.ok': 'ok',
  'login.failed': 'failed',
  'login.limited': 'limited',
};

/** A log that also counts its security events, logins and faults, so that metrics and log always agree. */
export function countedLog(log: Logger, metrics: Metrics): Logger {
  return {
    ...log,
    security(event) {
      const outcome = OUTCOMES[event.event];
      if (outcome !== undefined) metrics.countLogin(outcome);
      metrics.countSecurityEvent(event.event);
      log.security(event);
    },
    failure(where, error, requestId) {
      metrics.countFailure(isCommitUnknown(error) ? 'commit.unknown' : 'failure');
      log.failure(where, error, requestId);
    },
  };
}
