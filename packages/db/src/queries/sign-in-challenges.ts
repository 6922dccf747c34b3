import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SessionKind } from '../tables/session-tables.js';

/** A sign-in whose second step is still to come. */
export interface SignInChallenge {
  challengeKey: string;
  memberId: number;
  factorEpoch: number;
  sessionEpoch: number;
  passwordDigest: string;
  kind: SessionKind;
  partnerId: number | null;
  ssoLoginId: number | null;
  application: string;
  deployment: string;
  clientDigest: string;
  /** Of the page that called; null where no page did. */
  originDigest: string | null;
  /** Of the cookie of the browser that asked; null outside cookie mode. */
  cookieDigest: string | null;
  /** How the first factor was authenticated. */
  amr: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Stores a challenge. Only the digest of what the client gets is in it. */
export async function insertSignInChallenge(tx: Database, challenge: SignInChallenge): Promise<void> {
  await tx.insert(tx.tables.signInChallenges, challenge);
}

/** A challenge that was neither used nor has expired. */
export async function findSignInChallenge(
  db: Database,
  { challengeKey, nowMs }: { challengeKey: string; nowMs: number },
): Promise<SignInChallenge | undefined> {
  const [row] = await db
    .select(challengeColumns(db))
    .from(db.tables.signInChallenges)
    .where(isOpenChallenge(db, challengeKey, nowMs));
  return row;
}

/** Takes one of the attempts of a challenge. False when none is left, or it is used or has expired. */
export async function consumeChallengeAttempt(
  db: Database,
  { challengeKey, most, nowMs }: { challengeKey: string; most: number; nowMs: number },
): Promise<boolean> {
  const { signInChallenges } = db.tables;
  const { attempts } = signInChallenges;
  const rows = await db.write(
    db
      .update(signInChallenges)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(isOpenChallenge(db, challengeKey, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}

/** Uses up a challenge. True for one of any number of attempts. */
export async function consumeSignInChallenge(
  tx: Database,
  { challengeKey, nowMs }: { challengeKey: string; nowMs: number },
): Promise<boolean> {
  const { signInChallenges } = tx.tables;
  const rows = await tx.write(
    tx
      .update(signInChallenges)
      .set({ usedAtMs: nowMs })
      .where(isOpenChallenge(tx, challengeKey, nowMs)),
  );
  return rows === 1;
}

function isOpenChallenge({ tables }: Database, challengeKey: string, nowMs: number) {
  const { signInChallenges } = tables;
  return and(
    eq(signInChallenges.challengeKey, challengeKey),
    isNull(signInChallenges.usedAtMs),
    gt(signInChallenges.expiresAtMs, nowMs),
  );
}

function challengeColumns({ tables }: Database) {
  const { challengeKey, memberId, factorEpoch, sessionEpoch, passwordDigest, kind } = tables.signInChallenges;
  const { partnerId, ssoLoginId, application, deployment, clientDigest, originDigest, cookieDigest, amr } =
    tables.signInChallenges;
  const { createdAtMs, expiresAtMs } = tables.signInChallenges;
  const what = { challengeKey, memberId, factorEpoch, sessionEpoch, passwordDigest, kind };
  const where = {
    partnerId,
    ssoLoginId,
    application,
    deployment,
    clientDigest,
    originDigest,
    cookieDigest,
    amr,
  };
  return { createdAtMs, expiresAtMs, ...what, ...where };
}

/** How many codes of one challenge, session or flow are valid at once: the newest ones. */
const CODES_AT_ONCE = 3;

/** A mailed code and its purpose. */
export interface NewMailedCode {
  /** The digest of the challenge, session or flow that asked. */
  boundKey: string;
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** No code is made this soon after the last one. */
  pauseMs: number;
}

/** A code that is still valid. */
export interface OpenMailedCode {
  id: number;
  memberId: number;
  digest: string;
}

/**
 * Stores another code of a challenge, session or flow. False when the last one is too recent, or another request stored
 * one at the same time.
 */
export async function insertMailedCode(tx: Database, code: NewMailedCode): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const { pauseMs, nowMs, ...row } = code;
  const [last] = await tx
    .select({ serial: mailedCodes.serial, createdAtMs: mailedCodes.createdAtMs })
    .from(mailedCodes)
    .where(eq(mailedCodes.boundKey, code.boundKey))
    .orderBy(desc(mailedCodes.serial))
    .limit(1);
  if (last !== undefined && last.createdAtMs > nowMs - pauseMs) return false;
  const serial = (last?.serial ?? 0) + 1;
  return tx.insertOnce(mailedCodes, { ...row, serial, createdAtMs: nowMs });
}

/** The valid codes of a challenge, session or flow, newest first: unused, unexpired, with attempts left. */
export function listOpenMailedCodes(
  db: Database,
  { boundKey, most, nowMs }: { boundKey: string; most: number; nowMs: number },
): Promise<OpenMailedCode[]> {
  const { mailedCodes } = db.tables;
  const { id, memberId, digest } = mailedCodes;
  return db
    .select({ id, memberId, digest })
    .from(mailedCodes)
    .where(and(eq(mailedCodes.boundKey, boundKey), isOpenCode(db, nowMs), lt(mailedCodes.attempts, most)))
    .orderBy(desc(mailedCodes.serial))
    .limit(CODES_AT_ONCE);
}

/** Takes one of the attempts of a mailed code. False when none is left, or it is used or has expired. */
export async function consumeMailedCodeAttempt(
  db: Database,
  { id, most, nowMs }: { id: number; most: number; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = db.tables;
  const { attempts } = mailedCodes;
  const rows = await db.write(
    db
      .update(mailedCodes)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(eq(mailedCodes.id, id), isOpenCode(db, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}

/** Uses up a mailed code. True for one of any number of attempts. */
export async function consumeMailedCode(
  tx: Database,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const statement = tx
    .update(mailedCodes)
    .set({ usedAtMs: nowMs })
    .where(and(eq(mailedCodes.id, id), isOpenCode(tx, nowMs)));
  return (await tx.write(statement)) === 1;
}

function isOpenCode({ tables }: Database, nowMs: number) {
  const { mailedCodes } = tables;
  return and(isNull(mailedCodes.usedAtMs), gt(mailedCodes.expiresAtMs, nowMs));
}
