import { AppError, emailKey } from '@gatehouse/auth-core';
import { z } from 'zod';
import { freshProcedure } from '../app/procedures.js';
import { openPlace, sealPlace } from './export-cursor.js';
import { limitExports } from './limit-exports.js';
import { EXPORT_SECTIONS, readExport } from './read-export.js';

const FORMAT = 'gatehouse-export/1';
const RECORDS_PER_PAGE = 1000;
const HOUR_MS = 3_600_000;

const record = z.record(z.string(), z.unknown());
const records = z.array(record);

const exported = z.object({
  format: z.literal(FORMAT),
  exportedAt: z.iso.datetime(),
  /** On the first page; null on the others. */
  profile: record.nullable(),
  memberships: records,
  /** Accounts that staff may act in. */
  grants: records,
  sessions: records,
  events: records,
  connections: records,
  /** Mails to the confirmed address. */
  invitations: records,
  /** Without network addresses, which belong to other people. */
  invitationsSent: records,
  /** The partners linked to the member, and what they may reach. */
  consents: records,
  affiliations: records,
  /** The affiliate who referred them. */
  referrals: records,
  conversations: records,
  /** Their own messages. */
  messages: records,
});

/** All personal data of the caller, 1,000 records a page; one export an hour, without secrets. */
export const exportOwn = freshProcedure
  .meta({ about: { summary: 'Export all that is held of oneself', refuses: ['rate_limited'] } })
  .input(z.strictObject({ cursor: z.string().max(4000).nullish() }).prefault({}))
  .output(z.object({ data: exported, page: z.object({ limit: z.int(), nextCursor: z.string().nullable() }) }))
  .query(async ({ ctx, input: { cursor } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const nowMs = services.now();
    const begun = { section: 0, afterId: 0, startedAtMs: nowMs };
    const isFirst = cursor === undefined || cursor === null || cursor === '';
    const place = isFirst ? begun : openPlace(services.cipher, memberId, cursor);
    // A cursor of an older export begins a new export.
    if (isFirst || nowMs >= place.startedAtMs + HOUR_MS) {
      await limitExports(ctx);
    }
    const profile = await services.access.profile(ctx.caller.member);
    if (!profile) throw new AppError('unauthorized');
    const confirmed = profile.emailConfirmedAtMs === null ? null : profile.email;
    const who = { memberId, emailKey: confirmed === null ? null : emailKey(confirmed) };
    const { section, afterId, startedAtMs } = place;
    const read = await readExport(services.db, who, { section, afterId, room: RECORDS_PER_PAGE });
    const lists = EXPORT_SECTIONS.filter((name) => name !== 'profile').map(
      (name) => [name, read.records.get(name) ?? []] as const,
    );
    const data = exported.parse({
      format: FORMAT,
      exportedAt: new Date(startedAtMs).toISOString(),
      profile: read.records.get('profile')?.[0] ?? null,
      ...Object.fromEntries(lists),
    });
    const next = read.next && sealPlace(services.cipher, memberId, { ...read.next, startedAtMs });
    return { data, page: { limit: RECORDS_PER_PAGE, nextCursor: next ?? null } };
  });
