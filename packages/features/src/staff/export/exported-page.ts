import { AppError, type DataCipher, emailKey } from '@gatehouse/auth-core';
import { findMember, isProven, listWithheldAccounts } from '@gatehouse/db';
import { z } from 'zod';
import type { Context } from '../../core/context.js';
import type { Caller } from '../../core/guard/caller.js';
import { type ExportPlace, openPlace, sealPlace } from './export-cursor.js';
import { EXPORT_SECTIONS, readExport } from './read-export.js';

const FORMAT = 'gatehouse-export/1';
const RECORDS_PER_PAGE = 1000;
const record = z.record(z.string(), z.unknown());
const records = z.array(record);

const exported = z.object({
  format: z.literal(FORMAT),
  exportedAt: z.iso.datetime(),
  /** On the first page; null on others. */
  profile: record.nullable(),
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
  affiliations: records,
  /** The affiliate they came by. */
  referrals: records,
  conversations: records,
  /** What they said themselves. */
  messages: records,
  /**
   * Accounts that ask for a higher level than the session has: their names, the conversations there and the invitations
   * sent from there are left out.
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

/** Up to 1,000 records of all that is held of a member, as far as the caller's session opens it, and no secret. */
export async function readExportedPage(
  { services, caller }: Pick<Context, 'services'> & { readonly caller: Caller },
  memberId: number,
  { section, afterId, startedAtMs }: ExportPlace = { section: 0, afterId: 0, startedAtMs: services.now() },
): Promise<z.output<typeof exportedPage>> {
  const profile = await findMember(services.db, memberId);
  if (!profile) throw new AppError('not_found');
  const proven = isProven(profile) ? profile.email : null;
  const session = { level: caller.session.level, nowMs: services.now() };
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
