import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';
import { MAX_DEVICE_LENGTH } from './session-tables.js';

/** Who changed what, when and from where. Rows are only added, and old ones removed in batches. */
export const defineAuditLog = (v: Vocabulary) =>
  v.table(
    'audit_log',
    {
      id: v.id(),
      atMs: v.instant(),
      actorId: v.maybe.reference(),
      /** The API key of the machine that acted. */
      keyId: v.maybe.reference(),
      /** The application that acted for the actor. */
      applicationId: v.maybe.reference(),
      onBehalfOfId: v.maybe.reference(),
      accountId: v.maybe.reference(),
      action: v.string(64),
      subjectKind: v.maybe.string(64),
      subjectId: v.maybe.string(64),
      address: v.maybe.string(255),
      requestId: v.maybe.string(128),
      before: v.maybe.json(),
      after: v.maybe.json(),
    },
    [
      index('removes entries older than the retention, in batches', 'atMs'),
      index('lists what happened in an account', 'accountId', 'id'),
      index('lists what one person did', 'actorId', 'id'),
      index('lists what happened to one thing', 'subjectKind', 'subjectId', 'id'),
      index('lists one kind of change', 'action', 'id'),
      index('finds what one request did', 'requestId', 'id'),
    ],
  );

/** A member's key for their data in the audit log, itself encrypted. Without it that data is unreadable. */
export const defineMemberKeys = (v: Vocabulary) =>
  v.table(
    'member_keys',
    {
      id: v.id(),
      memberId: v.reference(),
      key: v.secret(),
      createdAtMs: v.instant(),
    },
    [unique('one key per member', 'memberId')],
  );

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
      device: v.maybe.string(MAX_DEVICE_LENGTH),
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
