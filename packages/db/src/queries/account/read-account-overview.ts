import type { Database } from '../../database.js';
import { selectWebhooksOfAccount } from '../billing/list-webhooks-of-account.js';
import { selectNewestInvitations } from '../invitation/list-invitations.js';
import { selectMembersOfAccount } from '../member/list-members-of-account.js';
import { ascendingBy, descendingBy } from '../page/order-by-number.js';
import { readTogether } from '../page/read-together.js';
import { selectGrantsOfAccount } from '../personnel/select-grants-of-account.js';
import { selectAccountOverview } from './select-account-overview.js';

const read = readTogether({
  accounts: { select: selectAccountOverview },
  members: { select: (db: Database) => selectMembersOfAccount(db), order: ascendingBy('id') },
  invitations: { select: selectNewestInvitations, order: descendingBy('id') },
  grants: { select: selectGrantsOfAccount, order: ascendingBy('personnelId') },
  webhooks: { select: selectWebhooksOfAccount, order: descendingBy('id') },
});

/**
 * An account for staff, closed and deleted ones included, with the beginning of each of its lists: members and grants by
 * their id, invitations and deliveries from the newest.
 */
export async function readAccountOverview(db: Database, accountId: number, limit: number) {
  return read(db, { accountId, afterId: 0, limit });
}
