import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SessionKind } from '../../tables/sessions.js';

/** A sign-in whose second step is still to come. */
export interface SignInChallenge {
  challengeKey: string;
  memberId: number;
  factorEpoch: number;
  sessionEpoch: number;
  passwordDigest: string;
  kind: SessionKind;
  partnerId: number | null;
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
    .where(isOpen(db, challengeKey, nowMs));
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
      .where(and(isOpen(db, challengeKey, nowMs), lt(attempts, most))),
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
      .where(isOpen(tx, challengeKey, nowMs)),
  );
  return rows === 1;
}

function isOpen({ tables }: Database, challengeKey: string, nowMs: number) {
  const { signInChallenges } = tables;
  return and(
    eq(signInChallenges.challengeKey, challengeKey),
    isNull(signInChallenges.usedAtMs),
    gt(signInChallenges.expiresAtMs, nowMs),
  );
}

function challengeColumns({ tables }: Database) {
  const { challengeKey, memberId, factorEpoch, sessionEpoch, passwordDigest, kind } = tables.signInChallenges;
  const { partnerId, application, deployment, clientDigest, originDigest, cookieDigest, amr } =
    tables.signInChallenges;
  const { createdAtMs, expiresAtMs } = tables.signInChallenges;
  const what = { challengeKey, memberId, factorEpoch, sessionEpoch, passwordDigest, kind };
  const where = { partnerId, application, deployment, clientDigest, originDigest, cookieDigest, amr };
  return { createdAtMs, expiresAtMs, ...what, ...where };
}
