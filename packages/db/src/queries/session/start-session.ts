import { and, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE, type SessionKind } from '../../tables/sessions.js';
import { banEnd, baseRole } from '../access/ban-columns.js';
import { given, prepareRead, prepareWrite } from '../prepared.js';

/** A verified login and its token. */
export interface NewSession {
  memberId: number;
  /** The stored password that was checked. */
  expectedPassword: string;
  /** The count of factor changes that the login was checked against. */
  expectedFactorEpoch: number;
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
export interface StartedSession {
  id: number;
  roleType: number;
  isPersonnel: boolean;
}

type Expected = { memberId: number; password: string; factorEpoch: number; nowMs: number };

const signIn = prepareWrite<Expected>((db) => {
  const { members } = db.tables;
  const { id, password, factorEpoch, lastLoginAtMs, isDeleted } = members;
  return db
    .update(members)
    .set({ lastLoginAtMs: given(lastLoginAtMs, 'nowMs') })
    .where(
      and(
        eq(id, given(id, 'memberId')),
        eq(password, given(password, 'password')),
        eq(factorEpoch, given(factorEpoch, 'factorEpoch')),
        eq(isDeleted, false),
        lte(banEnd(db.tables), sql.placeholder('nowMs')),
      ),
    );
});

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
  const { memberId, expectedPassword, expectedFactorEpoch, device, nowMs, ...session } = login;
  const expected = { memberId, password: expectedPassword, factorEpoch: expectedFactorEpoch, nowMs };
  if ((await signIn(tx, expected)) === 0) return undefined;
  const [member] = await findMember(tx, { memberId });
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
