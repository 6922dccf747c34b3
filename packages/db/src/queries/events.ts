import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '../database.js';
import { repeatedValue } from '../dialect/statement-builder.js';
import type { EventActorKind, EventAudience, EventSubjectKind } from '../tables/event-tables.js';
import { asksMore } from './account-policy.js';
import { startsWith } from './match-text.js';
import { given, oncePerDialect, prepareRead, prepareWrite } from './prepared.js';
import { takeTurn } from './take-turn.js';

/** An event to be stored. */
export interface NewEvent {
  publicId: string;
  type: string;
  version: number;
  atMs: number;
  subject: { readonly kind: EventSubjectKind; readonly id: number };
  accountId: number | null;
  actor: { readonly kind: EventActorKind; readonly id: number | null };
  data: Record<string, unknown>;
  audience: EventAudience;
}

/**
 * Writes an event in the transaction of its change. Counting up the subject's version locks the subject's row, so the versions of
 * one subject are in the order of the commits.
 */
export async function insertEvent(tx: Database, { subject, actor, ...event }: NewEvent): Promise<void> {
  await countUp[subject.kind](tx, { subjectId: subject.id });
  await tx.insert(tx.tables.events, {
    ...event,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectVersion: versionOf[subject.kind](tx).version,
    actorKind: actor.kind,
    actorId: actor.id,
  });
}

function subjectsIn({ tables }: Database, kind: EventSubjectKind) {
  return { member: tables.members, account: tables.accounts, endpoint: tables.eventEndpoints }[kind];
}

const countUpOf = (kind: EventSubjectKind) =>
  prepareWrite<{ subjectId: number }>((db) => {
    const { id, eventVersion } = subjectsIn(db, kind);
    return db
      .update(subjectsIn(db, kind))
      .set({ eventVersion: sql`${eventVersion} + 1` })
      .where(eq(id, given(id, 'subjectId')));
  });

const countUp = {
  member: countUpOf('member'),
  account: countUpOf('account'),
  endpoint: countUpOf('endpoint'),
};

/** The version of the subject of an event that is being inserted. */
const versionIn = (kind: EventSubjectKind) =>
  oncePerDialect((db) => {
    const { id, eventVersion } = subjectsIn(db, kind);
    const version = db
      .select({ version: eventVersion })
      .from(subjectsIn(db, kind))
      .where(eq(id, given(id, 'subjectId')));
    return { version: asNumber(repeatedValue(sql`(${version})`)) };
  });

const versionOf = {
  member: versionIn('member'),
  account: versionIn('account'),
  endpoint: versionIn('endpoint'),
};

function asNumber(expression: SQL): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types know only values here, and the query builder also takes a subquery
  return expression as unknown as number;
}

/** A member as events describe them. */
export interface EventMember {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null unless it is confirmed. */
  readonly email: string | null;
  readonly emailConfirmedAtMs: number | null;
  readonly isPersonnel: boolean;
}

const preparedMember = prepareRead<EventMember, { memberId: number }>((db) => {
  const { id, username, firstName, lastName, email, emailConfirmedAtMs, isPersonnel } = db.tables.members;
  return db
    .select({ username, firstName, lastName, email, emailConfirmedAtMs, isPersonnel })
    .from(db.tables.members)
    .where(eq(id, given(id, 'memberId')));
});

export async function findEventMember(tx: Database, memberId: number): Promise<EventMember | undefined> {
  const [row] = await preparedMember(tx, { memberId });
  return row && { ...row, email: row.emailConfirmedAtMs === null ? null : row.email };
}

/**
 * The accounts that a member has access to, and the partners that they are linked to: none for staff, whom no partner may sign on.
 * @param isEnding whether the transaction has just ended the memberships with the member
 */
export async function memberAudience(
  tx: Database,
  memberId: number,
  { isEnding }: { isEnding: boolean },
): Promise<EventAudience> {
  const { members, memberships, partnerMembers } = tx.tables;
  const isIn = isEnding
    ? or(eq(memberships.isDeleted, false), eq(memberships.endedWithMember, true))
    : eq(memberships.isDeleted, false);
  const accounts = await tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.memberId, memberId), eq(memberships.active, true), isIn));
  const partners = await tx
    .select({ id: partnerMembers.partnerId })
    .from(partnerMembers)
    .innerJoin(members, eq(members.id, partnerMembers.memberId))
    .where(
      and(
        eq(partnerMembers.memberId, memberId),
        isNull(partnerMembers.heldSinceMs),
        eq(members.isPersonnel, false),
      ),
    );
  return { accounts: accounts.map(({ id }) => id), partners: partners.map(({ id }) => id) };
}

/** What events say of an account, and which partner created it. */
export interface EventAccount {
  readonly name: string;
  readonly ownerId: number;
  readonly createdByPartnerId: number | null;
}

const preparedAccount = prepareRead<EventAccount, { accountId: number }>((db) => {
  const { id, name, ownerId, createdByPartnerId } = db.tables.accounts;
  return db
    .select({ name, ownerId, createdByPartnerId })
    .from(db.tables.accounts)
    .where(eq(id, given(id, 'accountId')));
});

export async function findEventAccount(tx: Database, accountId: number): Promise<EventAccount | undefined> {
  const [row] = await preparedAccount(tx, { accountId });
  return row;
}

/** The key of a feed in `event_audiences`. */
export const audienceKey = (kind: 'account' | 'partner', id: number): string => `${kind}:${id}`;

const TURN = 'event-sequence';

/**
 * Assigns the next places in the feed, without gaps, to up to `limit` committed events, and puts each into the feeds of its
 * audience. The events of one subject get their places in the order of their versions. One node does this at a time.
 * @returns how many events got a place
 */
export async function sequenceEvents(db: Database, turn: string, limit: number): Promise<number> {
  const { events, eventAudiences } = db.tables;
  const [waiting] = await db.select({ id: events.id }).from(events).where(isNull(events.position)).limit(1);
  if (waiting === undefined) return 0;
  return db.transaction(async (tx) => {
    await takeTurn(tx, TURN, turn);
    const batch = await tx
      .select({ subjectId: events.subjectId })
      .from(events)
      .where(isNull(events.position))
      .orderBy(asc(events.id))
      .limit(limit);
    // One statement sees all versions of a subject below the highest that it sees. On a cluster a lower version may have a higher id.
    const rows = await tx
      .select({
        id: events.id,
        subjectKind: events.subjectKind,
        subjectId: events.subjectId,
        subjectVersion: events.subjectVersion,
        data: events.data,
        audience: events.audience,
      })
      .from(events)
      .where(
        and(
          isNull(events.position),
          inArray(events.subjectId, [...new Set(batch.map(({ subjectId }) => subjectId))]),
        ),
      )
      .orderBy(asc(events.id));
    const ordered = inOrderOfVersions(rows);
    let position = (await findFeedEnd(tx)) ?? 0;
    for (const event of ordered) {
      position += 1;
      await tx.write(tx.update(events).set({ position }).where(eq(events.id, event.id)));
      const { accounts, partners } = event.audience;
      const audiences = [
        ...accounts.map((id) => audienceKey('account', id)),
        ...partners.map((id) => audienceKey('partner', id)),
      ];
      const place = position;
      await tx.insertMany(
        eventAudiences,
        audiences.map((audience) => ({ audience, position: place })),
      );
    }
    return ordered.length;
  });
}

interface Versioned {
  readonly subjectKind: string;
  readonly subjectId: number;
  readonly subjectVersion: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The events as they came, but with those of one subject, or of one session, in the order of their versions. */
export function inOrderOfVersions<Row extends Versioned>(rows: readonly Row[]): Row[] {
  const bySubject = new Map<string, Row[]>();
  for (const row of rows.toSorted((one, other) => one.subjectVersion - other.subjectVersion)) {
    const own = bySubject.get(subjectOf(row)) ?? [];
    own.push(row);
    bySubject.set(subjectOf(row), own);
  }
  return rows.flatMap((row) => bySubject.get(subjectOf(row))?.shift() ?? []);
}

/** Sessions have versions of their own. */
const subjectOf = ({ subjectKind, subjectId, data }: Versioned): string =>
  `${subjectKind}:${subjectId}:${Number(data?.['sessionId'] ?? 0)}`;

/** A stored event. */
export interface EventRow {
  publicId: string;
  position: number;
  type: string;
  version: number;
  atMs: number;
  subjectKind: EventSubjectKind;
  subjectId: number;
  subjectVersion: number;
  accountId: number | null;
  actorKind: EventActorKind;
  actorId: number | null;
  data: Record<string, unknown>;
}

/** The lowest place of an event; undefined if no event has a place. */
export async function findFeedStart(db: Database): Promise<number | undefined> {
  return findPlace(db, asc(db.tables.events.position));
}

/** The highest place of an event; undefined if no event has a place. */
export async function findFeedEnd(db: Database): Promise<number | undefined> {
  return findPlace(db, desc(db.tables.events.position));
}

async function findPlace(db: Database, order: SQL): Promise<number | undefined> {
  const { position } = db.tables.events;
  const [row] = await db
    .select({ position })
    .from(db.tables.events)
    .where(isNotNull(position))
    .orderBy(order)
    .limit(1);
  return row?.position ?? undefined;
}

/** Which events of the feed somebody reads. */
interface FeedFilter {
  /** The feed of an account or a partner; without it, all events. */
  readonly audience?: string | undefined;
  /** Names of types, or `member.*` for all types that begin so; names that this release does not know are included. */
  readonly types?: readonly string[] | undefined;
  /** The session that reads events of several accounts: those of accounts that ask for a higher level are left out. */
  readonly session?: { readonly level: number; readonly nowMs: number } | undefined;
}

/** The places after one, up to another, and how many events of them. */
interface FeedRange {
  readonly after: number;
  readonly through: number;
  readonly limit: number;
}

/** The events of a feed after a place, in order. What has a higher place than `through` is for the next page. */
export async function listEvents(db: Database, filter: FeedFilter, range: FeedRange): Promise<EventRow[]> {
  const { events, eventAudiences } = db.tables;
  const { publicId, position, type, version, atMs, subjectKind, subjectId, subjectVersion } = events;
  const { accountId, actorKind, actorId, data } = events;
  const subject = { subjectKind, subjectId, subjectVersion };
  const origin = { accountId, actorKind, actorId, data };
  const shown = { publicId, position: sql<number>`${position}`, type, version, atMs, ...subject, ...origin };
  const isShown = isInFeed(db, filter, range);
  if (filter.audience === undefined)
    return db.select(shown).from(events).where(isShown).orderBy(asc(position)).limit(range.limit);
  const place = eventAudiences.position;
  return db
    .select(shown)
    .from(eventAudiences)
    .innerJoin(events, eq(events.position, place))
    .where(isShown)
    .orderBy(asc(place))
    .limit(range.limit);
}

/** How many events `listEvents` would list. */
export async function countEvents(db: Database, filter: FeedFilter, range: FeedRange): Promise<number> {
  const { events, eventAudiences } = db.tables;
  const { id } = events;
  const isCounted = isInFeed(db, filter, range);
  const some =
    filter.audience === undefined
      ? db.select({ id }).from(events).where(isCounted).limit(range.limit).as('some')
      : db
          .select({ id })
          .from(eventAudiences)
          .innerJoin(events, eq(events.position, eventAudiences.position))
          .where(isCounted)
          .limit(range.limit)
          .as('some');
  const [row] = await db.select({ found: count() }).from(some);
  return row?.found ?? 0;
}

function isInFeed(db: Database, { audience, types, session }: FeedFilter, range: FeedRange): SQL | undefined {
  const { accounts, events, eventAudiences } = db.tables;
  const isOfType = types && isOfTypes(db, types);
  const isAfter = (place: typeof events.position | typeof eventAudiences.position) =>
    and(gt(place, range.after), lt(place, range.through + 1));
  const isRefused = session && asksMore(db.tables, session);
  const isOpen =
    isRefused &&
    notExists(
      db
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(eq(accounts.id, events.accountId), isRefused)),
    );
  if (audience !== undefined)
    return and(eq(eventAudiences.audience, audience), isAfter(eventAudiences.position), isOfType, isOpen);
  return and(isAfter(events.position), isOfType, isOpen);
}

/** True for events of these types: names of types, or `member.*` for all that begin so. */
function isOfTypes({ tables: { events } }: Database, types: readonly string[]): SQL | undefined {
  const kinds = types.filter((name) => name.endsWith('.*'));
  const names = types.filter((name) => !name.endsWith('.*'));
  return or(inArray(events.type, names), ...kinds.map((kind) => startsWith(events.type, kind.slice(0, -1))));
}

/**
 * Removes up to `limit` events from before a moment, in the lowest places, up to the first more recent one, so that readers
 * notice what they have missed. It keeps the newest event, whose place the next one follows.
 */
export async function removeOldEvents(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { events, eventAudiences } = db.tables;
  const { position, atMs } = events;
  return db.transaction(async (tx) => {
    const last = (await findFeedEnd(tx)) ?? 0;
    const lowest = await tx
      .select({ position, atMs })
      .from(events)
      .where(and(isNotNull(position), lt(position, last)))
      .orderBy(asc(position))
      .limit(limit);
    const young = lowest.findIndex((event) => event.atMs >= beforeMs);
    const old = young === -1 ? lowest : lowest.slice(0, young);
    const highest = old.at(-1)?.position;
    if (highest === undefined || highest === null) return 0;
    await tx.write(tx.delete(eventAudiences).where(lte(eventAudiences.position, highest)));
    return tx.write(tx.delete(events).where(lte(position, highest)));
  });
}

/** Takes the names and the address out of the events about a member who is erased. Their ids stay. */
export async function eraseMemberEvents(tx: Database, memberId: number): Promise<void> {
  const { events } = tx.tables;
  const data = { memberId, username: '', firstName: '', lastName: '', email: null };
  await tx.write(
    tx
      .update(events)
      .set({ data })
      .where(
        and(eq(events.subjectKind, 'member'), eq(events.subjectId, memberId), like(events.type, 'member.%')),
      ),
  );
}

/** Takes the address out of the events about invitations to it. */
export async function eraseInvitationEvents(
  tx: Database,
  invitations: readonly { readonly id: number; readonly accountId: number }[],
): Promise<void> {
  const { events } = tx.tables;
  if (invitations.length === 0) return;
  const invited = new Set(invitations.map(({ id }) => id));
  const rows = await tx
    .select({ id: events.id, data: events.data })
    .from(events)
    .where(
      and(
        eq(events.subjectKind, 'account'),
        inArray(events.subjectId, [...new Set(invitations.map(({ accountId }) => accountId))]),
        like(events.type, 'invitation.%'),
      ),
    );
  for (const { id, data } of rows) {
    if (!invited.has(Number(data['invitationId']))) continue;
    await tx.write(
      tx
        .update(events)
        .set({ data: { ...data, email: '' } })
        .where(eq(events.id, id)),
    );
  }
}

/** Takes the name of an account that is erased, and the addresses invited into it, out of its events. */
export async function eraseAccountEvents(tx: Database, accountId: number): Promise<void> {
  const { events } = tx.tables;
  const rows = await tx
    .select({ id: events.id, data: events.data })
    .from(events)
    .where(and(eq(events.subjectKind, 'account'), eq(events.subjectId, accountId)));
  for (const { id, data } of rows) {
    const left = { ...data, ...('name' in data && { name: '' }), ...('email' in data && { email: '' }) };
    await tx.write(tx.update(events).set({ data: left }).where(eq(events.id, id)));
  }
}
