import { and, asc, count, desc, eq, gt, inArray, isNull, lt, max, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import { prepareRead } from './prepared.js';

/** True for hashes that need work: bcrypt of a cost below 10, or a higher cost that is not recorded. None is damaged bcrypt. */
function hasImportedHash(db: Database): SQL {
  const { password, passwordRounds, passwordDelayMs } = db.tables.members;
  const cost = sql`substr(${password}, 5, 2)`;
  const isHash = sql`length(${password}) = 60 and substr(${password}, 1, 4) in ('$2a$', '$2b$', '$2y$')`;
  const isLow = sql`${cost} in ('04', '05', '06', '07', '08', '09')`;
  const isHigh = sql`${cost} in ('11', '12')`;
  const isHighOfWordPress = sql`length(${password}) = 63 and substr(${password}, 1, 10) in ('$wp$2y$11$', '$wp$2y$12$')`;
  const isUncounted = and(or(and(isHash, isHigh), isHighOfWordPress), isNull(passwordRounds));
  const isUncountedForeign = and(hasForeignMark(password), isNull(passwordDelayMs));
  return and(or(and(isHash, isLow), isUncounted, isUncountedForeign), isKnownHash(db)) ?? sql`false`;
}

/** How many members' passwords are imported hashes still to be wrapped or counted. Reads every member. */
export async function countImportedHashes(db: Database): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasImportedHash(db));
  return row?.count ?? 0;
}

/** Hashes still to be wrapped or counted, by ascending member id; `afterId` pages on. */
export async function listImportedHashes(
  db: Database,
  afterId: number,
  limit: number,
): Promise<{ id: number; password: string }[]> {
  const { members } = db.tables;
  return db
    .select({ id: members.id, password: members.password })
    .from(members)
    .where(and(gt(members.id, afterId), hasImportedHash(db)))
    .orderBy(asc(members.id))
    .limit(limit);
}

/** What the costliest of all stored passwords cost to compare. */
export interface MostPasswordCost {
  /** Bcrypt rounds; undefined if all have our own cost. */
  readonly rounds: number | undefined;
  /** Milliseconds on a slow machine for hashes of other systems; undefined if there are none. */
  readonly delayMs: number | undefined;
}

const preparedCost = prepareRead<{ rounds: number | null; delayMs: number | null }, object>((db) => {
  const { members } = db.tables;
  const delays = db.select({ most: max(members.passwordDelayMs) }).from(members);
  // A statement with a single maximum reads it from an index.
  return db
    .select({ rounds: max(members.passwordRounds), delayMs: sql<number | null>`(${delays})` })
    .from(members);
});

/** What a comparison with the costliest of all stored passwords costs. */
export async function findMostPasswordCost(db: Database): Promise<MostPasswordCost> {
  const [row] = await preparedCost(db, {});
  return { rounds: row?.rounds ?? undefined, delayMs: row?.delayMs ?? undefined };
}

/**
 * True for members whose stored password is not a hash that we compare: neither a bcrypt hash of cost 4 to 12, nor a
 * wrapped one, one of WordPress, nor marked as one of another kind, as `readStoredPassword` of auth-core reads them.
 * @param isPlain whether it was declared to be the password itself
 */
function hasUnknownPassword(db: Database, isPlain: boolean): SQL {
  const { passwordIsPlain } = db.tables.members;
  return and(not(isKnownHash(db)), eq(passwordIsPlain, isPlain)) ?? sql`false`;
}

function isKnownHash(db: Database): SQL {
  return (db.dialect === 'mysql' ? isMysqlHash(db) : isLibsqlHash(db)) ?? sql`false`;
}

/** The length is compared because `$` also matches before a line break at the end. */
function isMysqlHash({ tables }: Database): SQL | undefined {
  const { password } = tables.members;
  return or(
    sql`length(${password}) = 60 and ${password} regexp '^[$]2[aby][$](0[4-9]|1[0-2])[$][./A-Za-z0-9]{53}$'`,
    sql`length(${password}) = 97 and ${password} regexp '^[$]wrapped[$]2[ab][$]0[4-9][$][./A-Za-z0-9]{22}[$]2b[$]10[$][./A-Za-z0-9]{53}$'`,
    sql`length(${password}) = 63 and ${password} regexp '^[$]wp[$]2y[$]1[0-2][$][./A-Za-z0-9]{53}$'`,
    hasDigestMark(password),
    hasForeignMark(password),
  );
}

function isLibsqlHash({ tables }: Database): SQL | undefined {
  const { password } = tables.members;
  const isBase64 = (part: SQL) => sql`${part} not glob '*[^./A-Za-z0-9]*'`;
  return or(
    and(
      sql`length(${password}) = 60`,
      or(sql`${password} glob '$2[aby]$0[4-9]$*'`, sql`${password} glob '$2[aby]$1[0-2]$*'`),
      isBase64(sql`substr(${password}, 8)`),
    ),
    and(
      sql`length(${password}) = 97`,
      sql`${password} glob '$wrapped$2[ab]$0[4-9]$*'`,
      isBase64(sql`substr(${password}, 16, 22)`),
      sql`substr(${password}, 38, 7) = '$2b$10$'`,
      isBase64(sql`substr(${password}, 45)`),
    ),
    and(
      sql`length(${password}) = 63`,
      sql`${password} glob '$wp$2y$1[0-2]$*'`,
      isBase64(sql`substr(${password}, 11)`),
    ),
    hasDigestMark(password),
    hasForeignMark(password),
  );
}

/** How many members' passwords are of a kind. */
export interface PasswordKindCount {
  /** `bcrypt`, `wrapped`, `wordpress`, `digest`, the kind of a foreign hash, `plain` (declared) or `unknown`. */
  readonly kind: string;
  readonly count: number;
  /** Milliseconds that the costliest takes on a slow machine; null for bcrypt. */
  readonly delayMs: number | null;
  /** When one last signed somebody in, or, for our own kind, when a member who has one last signed in; null if never. */
  readonly lastUsedAtMs: number | null;
}

/** All kinds that are stored, the most frequent first, and then those that were and are no more. Reads every member. */
export async function countPasswordKinds(db: Database): Promise<PasswordKindCount[]> {
  const { members, passwordUses } = db.tables;
  const { password, passwordIsPlain, passwordDelayMs, lastLoginAtMs } = members;
  const kind = sql<string>`case
    when ${not(isKnownHash(db))} then case when ${passwordIsPlain} then 'plain' else 'unknown' end
    when ${hasForeignMark(password)} then substr(${password}, 10, instr(substr(${password}, 10), '$') - 1)
    when ${hasDigestMark(password)} then 'digest'
    when substr(${password}, 1, 4) = '$wp$' then 'wordpress'
    when substr(${password}, 1, 8) = '$wrapped' then 'wrapped'
    else 'bcrypt' end`;
  const kinds = db
    .select({ kind: kind.as('kind'), passwordDelayMs, lastLoginAtMs })
    .from(members)
    .as('kinds');
  const counted = await db
    .select({
      kind: kinds.kind,
      count: count(),
      delayMs: max(kinds.passwordDelayMs),
      lastLoginAtMs: max(kinds.lastLoginAtMs),
    })
    .from(kinds)
    .groupBy(kinds.kind)
    .orderBy(desc(count()), asc(kinds.kind));
  const uses = await db.select().from(passwordUses).orderBy(asc(passwordUses.kind));
  const usedAt = new Map(uses.map((use) => [use.kind, use.lastUsedAtMs]));
  const stored = counted.map(({ lastLoginAtMs: atMs, ...row }) => ({
    ...row,
    lastUsedAtMs: row.kind === OWN_KIND ? atMs : (usedAt.get(row.kind) ?? null),
  }));
  const known = new Set(stored.map((row) => row.kind));
  const gone = uses
    .filter((use) => !known.has(use.kind))
    .map(({ kind: each, lastUsedAtMs }) => ({ kind: each, count: 0, delayMs: null, lastUsedAtMs }));
  return [...stored, ...gone];
}

/** The kind of the hashes that are made here. */
const OWN_KIND = 'bcrypt';

const USE_KNOWN_MS = 60_000;

/** Notes that a hash of a kind signed somebody in. One a minute is noted. */
export async function notePasswordUse(
  db: Database,
  { kind, nowMs }: { kind: string; nowMs: number },
): Promise<void> {
  const { passwordUses } = db.tables;
  const [known] = await db.select().from(passwordUses).where(eq(passwordUses.kind, kind));
  if (known === undefined) {
    await db.insertOnce(passwordUses, { kind, lastUsedAtMs: nowMs });
    return;
  }
  if (known.lastUsedAtMs > nowMs - USE_KNOWN_MS) return;
  await db.write(
    db
      .update(passwordUses)
      .set({ lastUsedAtMs: nowMs })
      .where(and(eq(passwordUses.kind, kind), lt(passwordUses.lastUsedAtMs, nowMs))),
  );
}

/** Only an import writes it, before a digest that it has hashed. */
function hasDigestMark(password: Tables['members']['password']): SQL {
  return sql`substr(${password}, 1, 8) = '$digest$'`;
}

/** How many members sign in with a quick digest of another system, hashed once more. Reads every member. */
export async function countDigests(db: Database): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasDigestMark(members.password));
  return row?.count ?? 0;
}

/** Only an import writes it, before a text that it has read. */
function hasForeignMark(password: Tables['members']['password']): SQL {
  return sql`substr(${password}, 1, 9) = '$foreign$'`;
}

/**
 * How many members' stored passwords are not a known hash; reads every member.
 * @param isPlain those that were declared plain, or those with which nobody signs in
 */
export async function countUnknownPasswords(
  db: Database,
  { isPlain }: { isPlain: boolean },
): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasUnknownPassword(db, isPlain));
  return row?.count ?? 0;
}

/** The same passwords, by ascending member id; `afterId` pages on. */
export async function listUnknownPasswords(
  db: Database,
  { isPlain, afterId, limit }: { isPlain: boolean; afterId: number; limit: number },
): Promise<{ id: number; password: string }[]> {
  const { members } = db.tables;
  return db
    .select({ id: members.id, password: members.password })
    .from(members)
    .where(and(gt(members.id, afterId), hasUnknownPassword(db, isPlain)))
    .orderBy(asc(members.id))
    .limit(limit);
}

/**
 * Declares that the stored texts of these members are their passwords. Skips those whose stored password is a hash by now.
 * Returns how many it declared.
 */
export async function declarePlainPasswords(db: Database, memberIds: readonly number[]): Promise<number> {
  if (memberIds.length === 0) return 0;
  const { members } = db.tables;
  return db.write(
    db
      .update(members)
      .set({ passwordIsPlain: true })
      .where(and(inArray(members.id, [...memberIds]), hasUnknownPassword(db, false))),
  );
}
