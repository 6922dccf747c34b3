import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';
import { LONGEST_DEVICE } from './sessions.js';

/** The outcome of an attempt. Events that are not attempts are `ok`. */
export type SecurityOutcome = 'ok' | 'failed' | 'locked';

/**
 * The security events of members, for the members themselves. Failures of one address in one minute are one
 * row.
 */
export const defineSecurityEvents = (v: Vocabulary) =>
  v.table(
    'security_events',
    {
      id: v.id(),
      /** 0 for an unknown login name, so that such a failure costs the same. */
      memberId: v.reference(),
      atMs: v.instant(),
      kind: v.string(64),
      outcome: v.string<SecurityOutcome>(8),
      address: v.maybe.string(64),
      device: v.maybe.string(LONGEST_DEVICE),
      actorId: v.maybe.reference(),
      times: v.integer().default(1),
      /** Whether the statistics have counted all of `times`, and how many of them they have. */
      isCounted: v.flag().default(false),
      countedTimes: v.integer().default(0),
      mergeKey: v.maybe.key(160),
    },
    [
      index('pages through what happened to a member', 'memberId', 'id'),
      index('removes events older than the retention', 'atMs'),
      index('finds events that the statistics have yet to count', 'isCounted', 'id'),
      unique('merges the failures of one address in one minute', 'mergeKey'),
    ],
  );
