import { index } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** Who changed what, when and from where. Rows are only added, and old ones removed in batches. */
export const defineAuditLog = (v: Vocabulary) =>
  v.table(
    'audit_log',
    {
      id: v.id(),
      atMs: v.instant(),
      actorId: v.maybe.reference(),
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
