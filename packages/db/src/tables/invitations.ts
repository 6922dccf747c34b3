import { index, unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/**
 * How an invitation ended, or `open`. Whether an open one has expired or is void is computed when it is read.
 */
export type InvitationStatus = 'open' | 'accepted' | 'declined' | 'revoked';

/** Who was invited into which account, in which role. */
export const defineInvitations = (v: Vocabulary) =>
  v.table(
    'invitations',
    {
      id: v.id(),
      accountId: v.reference(),
      email: v.string(320),
      emailKey: v.key(640),
      /** The key of the address while the invitation is open, null afterwards. */
      openKey: v.maybe.key(640),
      roleType: v.integer(),
      /** The custom role. It takes precedence over `roleType`. */
      customRoleId: v.maybe.reference(),
      status: v.string<InvitationStatus>(16),
      inviterId: v.reference(),
      /** The newest link, the only valid one; null until it is created. */
      tokenKey: v.maybe.digest(),
      /** The newest mail; null while it was held. */
      mailId: v.maybe.reference(),
      lastSentAtMs: v.maybe.instant(),
      expiresAtMs: v.instant(),
      endedAtMs: v.maybe.instant(),
      /** The member who accepted, declined or revoked it. Null when it was declined by the link alone. */
      endedById: v.maybe.reference(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('one open invitation of an address in an account', 'accountId', 'openKey'),
      index('lists the invitations of an account', 'accountId', 'id'),
      index('finds the invitations to an address', 'emailKey', 'id'),
      index('lists what one member sent, for their export', 'inviterId', 'id'),
    ],
  );
