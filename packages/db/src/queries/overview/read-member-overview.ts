import { sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { selectLoginFailures } from '../login/find-login-failures.js';
import { selectMailCountOfMember, selectMailsOfMember } from '../mail/list-mails.js';
import { selectMemberOverview } from '../member/select-member-overview.js';
import { selectPlaceAmong } from '../membership/has-place-among.js';
import type { MemberScope } from '../membership/member-scope.js';
import { type GivenAccounts, selectPlaces } from '../membership/select-places.js';
import { idList } from '../page/among-ids.js';
import { ascendingBy, descendingBy } from '../page/order-by-number.js';
import { readTogether } from '../page/read-together.js';
import { selectPartnersOfMember } from '../partner/list-partners-of-member.js';
import { selectOpenRecovery } from '../recovery/recovery.js';
import { selectSecurityEventCount, selectSecurityEvents } from '../security-event/list-security-events.js';
import { selectSessions } from '../session/list-sessions.js';
import { selectConnectionSummaries } from '../social/select-connection-summaries.js';

const partsWithin = (given?: GivenAccounts) => ({
  members: { select: selectMemberOverview },
  failures: { select: selectLoginFailures },
  recoveries: { select: selectOpenRecovery },
  logins: {
    select: (db: Database) => selectSecurityEvents(db, { isOfOneKind: true }),
    order: descendingBy('id'),
  },
  loginCount: { select: selectSecurityEventCount },
  places: { select: (db: Database) => selectPlaces(db, given), order: ascendingBy('accountId') },
  connections: { select: selectConnectionSummaries, order: ascendingBy('id') },
  mails: { select: selectMailsOfMember, order: descendingBy('id') },
  mailCount: { select: selectMailCountOfMember },
  sessions: { select: (db: Database) => selectSessions(db), order: descendingBy('id') },
  partners: { select: (db: Database) => selectPartnersOfMember(db), order: ascendingBy('partnerId') },
});

const GIVEN_IDS = sql.placeholder('accountIds');

const readAll = readTogether(partsWithin());
const readMost = readTogether(partsWithin({ ids: GIVEN_IDS, are: 'out' }));
const readSome = readTogether({
  ...partsWithin({ ids: GIVEN_IDS, are: 'in' }),
  sighted: { select: (db: Database) => selectPlaceAmong(db, GIVEN_IDS) },
});

/**
 * A member for staff, deleted ones included, with the beginning of each of their lists: sign-ins, mails and sessions from
 * the newest, memberships by account, connections and partners from the oldest.
 * @param page `holder` is that of the member's failures in a row; the memberships are those in scope
 * @returns `hasPlace` says whether the member has a place in scope, or had one until they were deleted
 */
export async function readMemberOverview(
  db: Database,
  memberId: number,
  { scope, holder, nowMs, limit }: { scope: MemberScope; holder: string; nowMs: number; limit: number },
) {
  const values: Values = {
    memberId,
    holder,
    origin: '',
    nowMs,
    limit,
    kind: 'login',
    beforeId: Number.MAX_SAFE_INTEGER,
    afterId: 0,
    accountIds: undefined,
  };
  if (!scope.all) return readWithin(db, values, scope.accountIds);
  if (scope.except === undefined) return { lists: await readAll(db, values), hasPlace: true };
  values.accountIds = idList(db, [...scope.except]);
  return { lists: await readMost(db, values), hasPlace: true };
}

interface Values extends Record<string, unknown> {
  accountIds: string | readonly number[] | undefined;
}

async function readWithin(db: Database, values: Values, accountIds: readonly number[]) {
  values.accountIds = idList(db, accountIds);
  const lists = await readSome(db, values);
  return { lists, hasPlace: lists.sighted.length > 0 };
}
