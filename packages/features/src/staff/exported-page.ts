import { AppError, type DataCipher, emailKey, lacksSso, SealedDataRefused } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isProven } from '@gatehouse/db/queries/member-columns';
import {
  listSsoOfPlaces,
  listWithheldAccounts,
  OWN_RECORDS,
  type OwnRecord,
} from '@gatehouse/db/queries/own-records';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import type { Caller } from '../core/guard/caller.js';
import { levelFacts } from '../core/guard/level.js';

/** The position where an export continues. */
interface ExportPlace {
  readonly section: number;
  readonly afterId: number;
  readonly startedAtMs: number;
}

const shape = z.object({ section: z.int().min(0), afterId: z.int().min(0), startedAtMs: z.int() });

/**
 * An encrypted position. Only the same member can use it, so nobody can begin a second export at an arbitrary
 * position.
 */
function sealPlace(cipher: DataCipher, memberId: number, place: ExportPlace): string {
  return cipher.seal(JSON.stringify(place), contextOf(memberId));
}

/** @throws {AppError} `invalid_input` for a cursor that was not issued to this member */
function openPlace(cipher: DataCipher, memberId: number, cursor: string): ExportPlace {
  try {
    return shape.parse(JSON.parse(cipher.open(cursor, contextOf(memberId))));
  } catch (cause) {
    if (!(cause instanceof SealedDataRefused)) throw cause;
    throw new AppError('invalid_input', {
      issues: [{ path: 'cursor', message: 'This cursor is not valid' }],
      cause,
    });
  }
}

function contextOf(memberId: number): string {
  return `export:${memberId}`;
}

/** The sections of an export. */
type ExportSection = keyof typeof OWN_RECORDS;

const EXPORT_SECTIONS = Object.keys(OWN_RECORDS).filter(isSection);

/** An exported record: times are ISO 8601, and names have no unit. */
type ExportedRecord = Record<string, unknown>;

/** Up to `room` records of a member from a position on, and the position after them; undefined at the end. */
async function readExport(
  db: Database,
  who: {
    readonly memberId: number;
    readonly emailKey: string | null;
    readonly level: number;
    readonly nowMs: number;
    readonly lackingSso: readonly number[];
  },
  from: { readonly section: number; readonly afterId: number; readonly room: number },
): Promise<{
  readonly records: ReadonlyMap<ExportSection, ExportedRecord[]>;
  readonly next: { readonly section: number; readonly afterId: number } | undefined;
}> {
  const records = new Map<ExportSection, ExportedRecord[]>();
  let { afterId, room } = from;
  for (let section = from.section; section < EXPORT_SECTIONS.length; section += 1) {
    const name = EXPORT_SECTIONS[section];
    if (name === undefined) break;
    if (room === 0) return { records, next: { section, afterId: 0 } };
    const rows = await OWN_RECORDS[name](db, { ...who, afterId, limit: room + 1 });
    const included = rows.slice(0, room);
    records.set(name, included.map(toExported));
    const last = included.at(-1);
    if (rows.length > room && last !== undefined) return { records, next: { section, afterId: last.id } };
    room -= included.length;
    afterId = 0;
  }
  return { records, next: undefined };
}

function toExported(row: OwnRecord): ExportedRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (!/(?:^at|At)Ms$/.test(name)) return [name, value];
      return [name.slice(0, -2), typeof value === 'number' ? new Date(value).toISOString() : null];
    }),
  );
}

function isSection(name: string): name is ExportSection {
  return Object.hasOwn(OWN_RECORDS, name);
}

const FORMAT = 'gatehouse-export/1';

const RECORDS_PER_PAGE = 1000;

const record = z.record(z.string(), z.unknown());

const records = z.array(record);

const exported = z.object({
  format: z.literal(FORMAT),
  exportedAt: z.iso.datetime(),
  /** On the first page; null on others. */
  profile: record.nullable(),
  /** The ids of the member in systems that members were imported from. */
  foreignIds: records,
  memberships: records,
  /** Accounts that staff may act in. */
  grants: records,
  sessions: records,
  events: records,
  connections: records,
  factors: records,
  passkeys: records,
  /** To the confirmed address. */
  invitations: records,
  /** Without the addresses, which are other people's. */
  invitationsSent: records,
  /** Partners the member is linked to, and what they may reach. */
  consents: records,
  /** Applications that may act for the member, and what they may do. */
  applications: records,
  affiliations: records,
  /** The affiliate they came by. */
  referrals: records,
  conversations: records,
  /** What they said themselves. */
  messages: records,
  /**
   * Accounts that require a higher level than the session has, or a sign-in by their identity provider: their names, the
   * conversations there and the invitations sent from there are left out.
   */
  withheldAccounts: z.array(z.int()),
});

/** A page of an export. */
export const exportedPage = z.object({
  data: exported,
  page: z.object({ limit: z.int(), nextCursor: z.string().nullable() }),
});

export const exportCursor = z.string().max(4000).nullish();

/** Where a page of an export begins; undefined for the first one. */
export function placeIn(
  cipher: DataCipher,
  memberId: number,
  cursor: string | null | undefined,
): ExportPlace | undefined {
  return cursor === undefined || cursor === null || cursor === ''
    ? undefined
    : openPlace(cipher, memberId, cursor);
}

/** Up to 1,000 records of all data about a member that the caller's session may see, without secrets. */
export async function readExportedPage(
  { services, caller }: Pick<Context, 'services'> & { readonly caller: Caller },
  memberId: number,
  { section, afterId, startedAtMs }: ExportPlace = { section: 0, afterId: 0, startedAtMs: services.now() },
): Promise<z.output<typeof exportedPage>> {
  const profile = await findMember(services.db, memberId);
  if (!profile) throw new AppError('not_found');
  const proven = isProven(profile) ? profile.email : null;
  const session = await exportingSession(services.db, { services, caller }, memberId);
  const who = { memberId, emailKey: proven === null ? null : emailKey(proven), ...session };
  const read = await readExport(services.db, who, { section, afterId, room: RECORDS_PER_PAGE });
  const lists = EXPORT_SECTIONS.filter((name) => name !== 'profile').map(
    (name) => [name, read.records.get(name) ?? []] as const,
  );
  const data = exported.parse({
    format: FORMAT,
    exportedAt: new Date(startedAtMs).toISOString(),
    profile: read.records.get('profile')?.[0] ?? null,
    ...Object.fromEntries(lists),
    withheldAccounts: await listWithheldAccounts(services.db, {
      memberId,
      ...session,
      limit: RECORDS_PER_PAGE,
    }),
  });
  const next = read.next && sealPlace(services.cipher, memberId, { ...read.next, startedAtMs });
  return { data, page: { limit: RECORDS_PER_PAGE, nextCursor: next ?? null } };
}

/** What decides whether a session exports an account's content. */
export async function exportingSession(
  db: Database,
  { services, caller }: Pick<Context, 'services'> & { readonly caller: Caller },
  memberId: number,
): Promise<{ level: number; nowMs: number; lackingSso: number[] }> {
  const { member, session } = caller;
  const facts = levelFacts(services, member, session);
  const places = await listSsoOfPlaces(db, memberId);
  const lackingSso = places.filter((place) => lacksSso(facts, { ...place, isDeleted: false }));
  return { level: session.level, nowMs: services.now(), lackingSso: lackingSso.map(({ id }) => id) };
}
