import { AppError, searchTextSchema, storableText } from '@gatehouse/auth-core';
import { findListedMail, type ListedMail, listMails, searchMails } from '@gatehouse/db/queries/list-mails';
import { setMailDue } from '@gatehouse/db/queries/mail-queue';
import { listMemberNames } from '@gatehouse/db/queries/read-members';
import { idCursor, listInput, listView, openCursor, toSearchPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { procedure } from '../../core/guard/procedure.js';
import { maskAddress, personName } from '../../core/member-view.js';
import { peopleSearch, runSearch } from '../../core/search-page.js';

/**
 * The state of a mail: waiting or being sent, accepted by the provider, given up, or not sent because its address has
 * reached the limit.
 */
const mailStates = z.enum(['queued', 'sent', 'failed', 'held']);

/** A mail as staff see it: never its text. */
export const mailView = z
  .object({
    id: z.int(),
    /** Null for a mail to an address without a member. */
    memberId: z.int().nullable(),
    kind: z.string(),
    state: mailStates,
    /** Masked, as `o***@acme.test`. */
    address: z.string(),
    attempts: z.int(),
    /** Why the last attempt failed. */
    reason: z.string().nullable(),
    /** When it was written. */
    at: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    /** When the next attempt is due; null where there is none. */
    dueAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Mail' });

const SHOWN = { pending: 'queued', sent: 'sent', dead: 'failed', held: 'held', void: 'queued' } as const;

/** The stored state behind each that is shown. */
const STORED_STATES = { queued: 'pending', sent: 'sent', failed: 'dead', held: 'held' } as const;

export function toMailView(row: ListedMail): z.output<typeof mailView> {
  return {
    id: row.id,
    memberId: row.memberId,
    kind: row.kind,
    state: SHOWN[row.state],
    address: maskAddress(row.recipient),
    attempts: row.attempts,
    reason: row.lastError === null ? null : withoutAddress(row.lastError, row.recipient),
    at: new Date(row.createdAtMs).toISOString(),
    sentAt: row.sentAtMs === null ? null : new Date(row.sentAtMs).toISOString(),
    dueAt: row.state === 'pending' ? new Date(row.dueAtMs).toISOString() : null,
  };
}

/** A mail server's answer often repeats the address. */
function withoutAddress(reason: string, recipient: string): string {
  if (recipient === '') return reason;
  const pattern = recipient.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return reason.replaceAll(new RegExp(pattern, 'gi'), () => maskAddress(recipient));
}

/** The mails to members of the accounts the caller acts in, by words about the member if asked, newest first: never their text. */
export const listMailsForStaff = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: 'List mails, and whether they left' } })
  .input(
    listInput({
      memberId: z.number().int().positive().optional(),
      state: mailStates.optional(),
      kind: storableText(64).optional(),
      /** Words of the names or the address of the member, or their id, also as `#42`. */
      search: searchTextSchema.optional(),
    }),
  )
  .output(listView(mailView.extend({ memberName: z.string().nullable() })))
  .query(async ({ ctx, input: { limit, cursor, memberId, state, kind, search = '' } }) => {
    const [beforeId] = openCursor(cursor, idCursor) ?? [];
    const filter = { scope: ctx.scope, memberId, state: state && STORED_STATES[state], kind };
    const people = peopleSearch(search.trim().replace(/^#/, ''));
    const page = { limit: limit + 1, beforeId };
    const { db } = ctx.services;
    const found =
      people.words.length === 0
        ? { rows: await listMails(db, filter, page), goesOnAfter: undefined }
        : await runSearch(ctx, false, (deadlineMs) =>
            searchMails(db, filter, people, { ...page, deadlineMs }),
          );
    const memberIds = found.rows.flatMap((row) => (row.memberId === null ? [] : [row.memberId]));
    const named = await listMemberNames(db, [...new Set(memberIds)]);
    const names = new Map(named.map((member) => [member.id, personName(member)]));
    return toSearchPage(
      found,
      limit,
      (row) => [typeof row === 'number' ? row : row.id],
      (row) => ({ ...toMailView(row), memberName: names.get(row.memberId ?? 0) ?? null }),
    );
  });

/**
 * Makes a mail that was given up due again. A mail that already waits does not change; one that was sent, or whose text is gone,
 * can only be sent again by what caused it.
 */
export const retryMail = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .meta({ about: { summary: 'Try again to deliver a mail', refuses: ['not_found', 'not_retryable'] } })
  .input(z.object({ mailId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { mailId } }) => {
    const { services } = ctx;
    // The recipient of a mail never changes.
    const found = await findListedMail(services.db, mailId);
    const memberId = found?.memberId ?? undefined;
    await changeAndRecord(
      ctx,
      { lock: { members: memberId === undefined ? [] : [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        if (!authorized.scope.all) {
          if (memberId === undefined) throw new AppError('not_found');
          await lockSubject(authorized, tx, { memberId, nowMs }, MEMBER_NEEDS.retryMail);
        }
        const mail = await findListedMail(tx, mailId);
        if (!mail) throw new AppError('not_found');
        if (mail.state === 'pending') return { result: undefined, record: undefined };
        if (!(await setMailDue(tx, mailId, nowMs))) throw new AppError('not_retryable');
        const { kind, attempts } = mail;
        return {
          result: undefined,
          record: {
            action: 'mail.retried',
            ...(memberId === undefined ? {} : { onBehalfOfId: memberId }),
            subjectKind: 'mail',
            subjectId: mailId,
            before: { kind, state: 'failed', attempts },
            after: { kind, state: 'queued', attempts: 0 },
          },
        };
      },
    );
    services.wakeups.wake('mail');
    return { message: 'The email will be sent shortly.' };
  });
