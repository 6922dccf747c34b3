import { and, asc, eq, exists, inArray, lte, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import { MAX_DEVICE_LENGTH, type SessionKind } from '../tables/session-tables.js';
import { ARCHIVED, banEnd, baseRole } from './member-columns.js';
import { given, prepareRead, prepareWrite } from './prepared.js';
import { recordSessionStart } from './session-events.js';

const ADMIN = 0;

/** The lowest account of a member who is not staff, in a session that no partner began, as nearly all sign-ins are. */
const findOwn = prepareRead<{ id: number }, { memberId: number }>((db) => {
  const { accounts, memberships } = db.tables;
  const { accountId, memberId, isDeleted, active, roleType } = memberships;
  const isOwn = and(
    eq(memberId, given(memberId, 'memberId')),
    eq(isDeleted, false),
    eq(active, true),
    ne(roleType, ARCHIVED),
  );
  const own = db.select({ id: accountId }).from(memberships).where(isOwn);
  return db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.isDeleted, false), inArray(accounts.id, own)))
    .orderBy(asc(accounts.id))
    .limit(1);
});

/**
 * The lowest account a member may act in, or null. In a partner's session, only accounts that the partner created are considered,
 * until the member consents to more.
 */
export async function findFirstAccountId(
  db: Database,
  member: { id: number; roleType: number; isPersonnel: boolean },
  partnerId: number | null,
): Promise<number | null> {
  if (!member.isPersonnel && partnerId === null)
    return (await findOwn(db, { memberId: member.id }))[0]?.id ?? null;
  const { accounts, memberships, personnelGrants, partnerMembers } = db.tables;
  const live = (row: typeof memberships | typeof personnelGrants) =>
    and(eq(row.isDeleted, false), eq(row.active, true));
  const membership = and(
    eq(memberships.memberId, member.id),
    eq(memberships.accountId, accounts.id),
    live(memberships),
  );
  const asMember = inArray(
    accounts.id,
    db
      .select({ id: memberships.accountId })
      .from(memberships)
      .where(and(eq(memberships.memberId, member.id), live(memberships), ne(memberships.roleType, ARCHIVED))),
  );
  const byGrant = and(
    inArray(
      accounts.id,
      db
        .select({ id: personnelGrants.accountId })
        .from(personnelGrants)
        .where(and(eq(personnelGrants.personnelId, member.id), live(personnelGrants))),
    ),
    notExists(db.select({ one: sql`1` }).from(memberships).where(membership)),
  );
  const reachable = member.isPersonnel ? or(asMember, byGrant) : asMember;
  const everyAccount = member.isPersonnel && member.roleType === ADMIN;
  const throughPartner =
    partnerId === null
      ? undefined
      : or(
          eq(accounts.createdByPartnerId, partnerId),
          exists(
            db
              .select({ one: sql`1` })
              .from(partnerMembers)
              .where(
                and(
                  eq(partnerMembers.partnerId, partnerId),
                  eq(partnerMembers.memberId, member.id),
                  sql`${partnerMembers.consentedAtMs} is not null`,
                ),
              ),
          ),
        );
  const [first] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.isDeleted, false), everyAccount ? undefined : reachable, throughPartner))
    .orderBy(asc(accounts.id))
    .limit(1);
  return first?.id ?? null;
}

/** The columns that decide which sessions a member may have. */
interface Status {
  roleType: number;
  isPersonnel: boolean;
}

/** A verified login and its token. */
export interface NewSession {
  memberId: number;
  /** The stored password that was checked. */
  expectedPassword: string;
  /** The count of factor changes that the login was checked against. */
  expectedFactorEpoch: number;
  /** The member's state at the check. While it is unchanged, one statement decides without another read. */
  expectedStatus?: Status & { sessionEpoch: number };
  /** Whether an endpoint gets events of sessions, as read with the checked credential. */
  isHeard: boolean;
  /** How the login was authenticated, separated by blanks, and the level of that. */
  amr: string;
  level: number;
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  /** The recovery whose ticket began it; such a session may add a second factor, and nothing else. */
  recoveryId?: number | null;
  /** The partner of this sign-on. */
  partnerId: number | null;
  /** The sign-in by an identity provider. */
  ssoLoginId?: number | null;
  /** Whether nobody has proven to us who they are, so that the session is not verified. True for a partner's sign-on. */
  isUnverified?: boolean;
  nowMs: number;
  expiresAtMs: number;
  /** When the session ends, however often its token is refreshed. */
  absoluteUntilMs?: number;
}

/** A session that has begun, and whose it is by now. */
interface StartedSession extends Status {
  id: number;
}

type Expected = { memberId: number; password: string; factorEpoch: number; nowMs: number };

const signIn = prepareWrite<Expected>((db) => setLastLogin(db, isExpected(db)));

const signInUnchanged = prepareWrite<Expected & Status & { epoch: number }>((db) => {
  const { sessionEpoch, isPersonnel } = db.tables.members;
  const isUnchanged = and(
    eq(sessionEpoch, given(sessionEpoch, 'epoch')),
    eq(baseRole(db.tables), sql.placeholder('roleType')),
    eq(isPersonnel, given(isPersonnel, 'isPersonnel')),
  );
  return setLastLogin(db, and(isExpected(db), isUnchanged));
});

function setLastLogin(db: Database, where: SQL | undefined) {
  const { members } = db.tables;
  return db
    .update(members)
    .set({ lastLoginAtMs: given(members.lastLoginAtMs, 'nowMs') })
    .where(where);
}

function isExpected({ tables }: Database): SQL | undefined {
  const { id, password, factorEpoch, isDeleted } = tables.members;
  return and(
    eq(id, given(id, 'memberId')),
    eq(password, given(password, 'password')),
    eq(factorEpoch, given(factorEpoch, 'factorEpoch')),
    eq(isDeleted, false),
    lte(banEnd(tables), sql.placeholder('nowMs')),
  );
}

const findMember = prepareRead<
  { epoch: number; roleType: number; isPersonnel: boolean },
  { memberId: number }
>((db) => {
  const { members } = db.tables;
  const { id, sessionEpoch, isPersonnel } = members;
  return db
    .select({ epoch: sessionEpoch, roleType: baseRole(db.tables), isPersonnel })
    .from(members)
    .where(eq(id, given(id, 'memberId')));
});

/**
 * Creates the session of a login. Undefined when the member was deleted or archived, or the password or a second
 * factor changed, since the check. The deciding update also locks the member's row until the transaction ends.
 */
export async function startSession(tx: Database, login: NewSession): Promise<StartedSession | undefined> {
  const {
    memberId,
    expectedPassword,
    expectedFactorEpoch,
    expectedStatus,
    isHeard,
    isUnverified = login.partnerId !== null,
    device,
    nowMs,
    ...session
  } = login;
  const expected = { memberId, password: expectedPassword, factorEpoch: expectedFactorEpoch, nowMs };
  const member = (await unchangedMember(tx, expected, expectedStatus)) ?? (await changedMember(tx, expected));
  if (member === undefined) return undefined;
  const { epoch, ...status } = member;
  const id = await tx.insert(tx.tables.sessions, {
    ...session,
    memberId,
    epoch,
    device: storableBeginning(device, MAX_DEVICE_LENGTH),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    verifiedAtMs: isUnverified ? null : nowMs,
    verifiedLevel: login.level,
    authTimeMs: nowMs,
  });
  if (isHeard) {
    const { kind, amr, partnerId } = login;
    const actor =
      partnerId === null
        ? ({ kind: status.isPersonnel ? 'staff' : 'member', id: memberId } as const)
        : ({ kind: 'partner', id: partnerId } as const);
    await recordSessionStart(tx, { sessionId: id, memberId, kind, amr }, { actor, atMs: nowMs });
  }
  return { id, ...status };
}

type Found = Status & { epoch: number };

async function unchangedMember(
  tx: Database,
  expected: Expected,
  at: NewSession['expectedStatus'],
): Promise<Found | undefined> {
  if (at === undefined) return undefined;
  const found = { epoch: at.sessionEpoch, roleType: at.roleType, isPersonnel: at.isPersonnel };
  return (await signInUnchanged(tx, { ...expected, ...found })) === 1 ? found : undefined;
}

async function changedMember(tx: Database, expected: Expected): Promise<Found | undefined> {
  if ((await signIn(tx, expected)) === 0) return undefined;
  const [member] = await findMember(tx, { memberId: expected.memberId });
  return member;
}
