import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { familyOf } from '../access/is-of-family.js';
import type { KeptSession } from './end-all-sessions.js';

/** A member's open session, in the form `endAllSessions` keeps. */
export async function findOpenSession(
  db: Database,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<KeptSession | undefined> {
  const { sessions } = db.tables;
  const { tokenKey, kind, device, address, partnerId, expiresAtMs, verifiedAtMs } = sessions;
  const { verifiedLevel, amr, level, authTimeMs } = sessions;
  const verification = { verifiedAtMs, verifiedLevel, amr, level, authTimeMs };
  const [row] = await db
    .select({
      tokenKey,
      kind,
      device,
      address,
      partnerId,
      expiresAtMs,
      ...verification,
      familyId: familyOf(db.tables),
    })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.memberId, memberId), isNull(sessions.endedAtMs)));
  return row;
}
