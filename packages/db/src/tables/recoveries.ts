import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** How a recovery ended. */
export type RecoveryOutcome = 'canceled' | 'signedIn' | 'expired' | 'completed';

/** Recoveries: staff let a member who lost every second factor add a new one, after a wait. */
export const defineRecoveries = (v: Vocabulary) =>
  v.table(
    'recoveries',
    {
      id: v.id(),
      memberId: v.reference(),
      /** The member, until the recovery has ended. */
      openKey: v.maybe.reference(),
      openedById: v.reference(),
      reason: v.string(500),
      /** Whether another member of staff has to agree. */
      needsApproval: v.flag(),
      approvedById: v.maybe.reference(),
      approvedAtMs: v.maybe.instant(),
      openedAtMs: v.instant(),
      /** When the ticket is made, at the earliest. */
      effectiveAtMs: v.instant(),
      /** Keyed by the data encryption key; null until the ticket was mailed. */
      ticketDigest: v.maybe.digest(),
      ticketExpiresAtMs: v.maybe.instant(),
      /** When a sign-in used the ticket. */
      ticketUsedAtMs: v.maybe.instant(),
      endedAtMs: v.maybe.instant(),
      /** Who canceled it; null where nobody did. */
      endedById: v.maybe.reference(),
      outcome: v.maybe.string<RecoveryOutcome>(16),
    },
    [
      unique('one open recovery per member', 'openKey'),
      index('lists the recoveries of a member', 'memberId', 'id'),
      index('counts what one member of staff opened', 'openedById', 'openedAtMs'),
      index('finds recoveries whose ticket is due or over', 'endedAtMs', 'effectiveAtMs'),
    ],
  );
