import { and, eq, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE, type SessionKind } from '../../tables/sessions.js';
import { banEnd, baseRole } from '../access/ban-columns.js';
import { given, prepareRead, prepareWrite } from '../prepared.js';

/** What decides which sessions a member may have. */
interface Standing {
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
  /** What the member was at the check. While that is so, one statement decides and nothing is read again. */
  expectedStanding?: Standing & { sessionEpoch: number };
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
  nowMs: number;
  expiresAtMs: number;
  /** When the session ends, however often its token is refreshed. */
  absoluteUntilMs?: number;
}

/** A session that has begun, and whose it is by now. */
export interface StartedSession extends Standing {
  id: number;
}

type Expected = { memberId: number; password: string; factorEpoch: number; nowMs: number };

const signIn = prepareWrite<Expected>((db) => setLastLogin(db, isExpected(db)));

const signInUnchanged = prepareWrite<Expected & Standing & { epoch: number }>((db) => {
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
  const { memberId, expectedPassword, expectedFactorEpoch, expectedStanding, device, nowMs, ...session } =
    login;
  const expected = { memberId, password: expectedPassword, factorEpoch: expectedFactorEpoch, nowMs };
  const member =
    (await unchangedMember(tx, expected, expectedStanding)) ?? (await changedMember(tx, expected));
  if (member === undefined) return undefined;
  const { epoch, ...standing } = member;
  const id = await tx.insert(tx.tables.sessions, {
    ...session,
    memberId,
    epoch,
    device: storableBeginning(device, LONGEST_DEVICE),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    verifiedAtMs: login.partnerId === null ? nowMs : null,
    verifiedLevel: login.level,
    authTimeMs: nowMs,
  });
  return { id, ...standing };
}

type Found = Standing & { epoch: number };

async function unchangedMember(
  tx: Database,
  expected: Expected,
  at: NewSession['expectedStanding'],
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
