import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SessionKind } from '../../tables/sessions.js';
import { familyOf } from '../access/is-of-family.js';
import { MOST_COUNTED } from '../page/count-up-to.js';
import { prepareRead } from '../prepared.js';

/** A session as its owner sees it: the newest token of its family, under the number of the family. */
export interface SessionRow {
  /** The family. */
  id: number;
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  partnerId: number | null;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
  deviceName: string | null;
  amr: string | null;
  level: number;
  authTimeMs: number | null;
}

/** A member's open sessions, or those one partner began, newest first; `beforeId` pages on. */
export async function listSessions(
  db: Database,
  memberId: number,
  {
    nowMs,
    limit,
    beforeId = Number.MAX_SAFE_INTEGER,
    onlyPartnerId,
  }: {
    nowMs: number;
    limit: number;
    beforeId?: number;
    onlyPartnerId?: number | undefined;
  },
): Promise<SessionRow[]> {
  const page = { memberId, nowMs, beforeId, limit };
  return onlyPartnerId === undefined
    ? prepared(db, page)
    : selectSessions(db, onlyPartnerId).prepare().execute(page);
}

const prepared = prepareRead(selectSessions);

/** The select of a page of a member's open sessions. */
export function selectSessions(db: Database, onlyPartnerId?: number) {
  const { members, sessions } = db.tables;
  const { tokenKey, kind, device, address, partnerId, createdAtMs, lastSeenAtMs, expiresAtMs } = sessions;
  const { deviceName, amr, level, authTimeMs } = sessions;
  const id = familyOf(db.tables);
  const times = { createdAtMs, lastSeenAtMs, expiresAtMs, authTimeMs };
  return db
    .select({ id, tokenKey, kind, device, address, partnerId, deviceName, amr, level, ...times })
    .from(sessions)
    .innerJoin(members, and(eq(members.id, sessions.memberId), eq(members.sessionEpoch, sessions.epoch)))
    .where(
      and(
        eq(sessions.memberId, sql.placeholder('memberId')),
        isNull(sessions.endedAtMs),
        isNull(sessions.retiresAtMs),
        gt(sessions.expiresAtMs, sql.placeholder('nowMs')),
        lt(id, sql.placeholder('beforeId')),
        onlyPartnerId === undefined ? undefined : eq(sessions.partnerId, onlyPartnerId),
      ),
    )
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/** How many open sessions a member has, at most `MOST_COUNTED`. */
export async function countSessions(db: Database, memberId: number, nowMs: number): Promise<number> {
  const rows = await listSessions(db, memberId, { nowMs, limit: MOST_COUNTED });
  return rows.length;
}
