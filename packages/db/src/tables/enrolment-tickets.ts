import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** One-use tickets that an operator prints, with which staff add their first factor. */
export const defineEnrolmentTickets = (v: Vocabulary) =>
  v.table(
    'enrolment_tickets',
    {
      id: v.id(),
      /** The digest of the ticket, of which there is no copy. */
      ticketKey: v.digest(),
      memberId: v.reference(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
      usedAtMs: v.maybe.instant(),
    },
    [
      unique('finds a ticket', 'ticketKey'),
      index('ends the tickets of a member', 'memberId'),
      index('removes tickets that have expired', 'expiresAtMs'),
    ],
  );
