import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findOpenRecovery, findRecovery, type RecoveryRow } from '@gatehouse/db/queries/recoveries';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context } from '../../core/context.js';
import { t } from '../../core/context.js';
import { identifyInPerson } from '../../core/guard/caller.js';
import { preauthorize } from '../../core/guard/guarded.js';
import { publicProcedure } from '../../core/guard/procedure.js';
import { ownPage, type PageFields, problem, type Refusal } from '../../pages/own-page.js';
import { pageForm } from '../../pages/page-form.js';
import type { PageWords } from '../../pages/page-words.js';
import { abandonRecovery, openCancelToken } from './close-recovery.js';

/**
 * Cancels the member's own recovery, with a session that no partner began, or with the token of a mail. A token works as long as
 * the recovery is open.
 */
export const cancelMine = publicProcedure
  .meta({
    about: {
      summary: "Cancel one's recovery",
      refuses: [
        'unauthorized',
        'permission_denied',
        'enrolment_required',
        'verification_required',
        'invalid_token',
        'not_found',
      ],
    },
  })
  .input(z.object({ token: z.string().max(100).optional() }).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, path, input }) => {
    const { services } = ctx;
    const token = input?.token;
    const byMail = token === undefined ? undefined : await findByToken(ctx, token);
    const { memberId } = byMail ?? (await preauthorize(ctx, identifyInPerson, path));
    await changeAccess(services.db, { members: [memberId] }, async (tx) => {
      await lockAndJudge(ctx, tx, { memberId, byMail: byMail !== undefined });
      const recovery = byMail ?? (await findOpenRecovery(tx, memberId));
      const outcome = { outcome: 'canceled', endedById: memberId } as const;
      const isClosed = recovery !== undefined && (await abandonRecovery(tx, ctx, recovery, outcome));
      if (!isClosed) throw new AppError(byMail ? 'invalid_token' : 'not_found');
    });
    services.wakeups.wake('mail');
    return { message: 'The recovery is canceled' };
  });

/** The open recovery that a mailed token is for. */
async function findByToken({ services }: Context, token: string): Promise<RecoveryRow> {
  const recoveryId = openCancelToken(services, token);
  const recovery = recoveryId === undefined ? undefined : await findRecovery(services.db, recoveryId);
  if (recovery === undefined || recovery.endedAtMs !== null) throw new AppError('invalid_token');
  return recovery;
}

/** @throws {AppError} as `identifyInPerson`, if the session has ended meanwhile or lost what it had */
async function lockAndJudge(
  ctx: Context,
  tx: Database,
  { memberId, byMail }: { memberId: number; byMail: boolean },
): Promise<void> {
  const reader = createLockedReader(tx, ctx.services.now());
  await reader.lockMember(memberId, 'exclusive');
  if (byMail) return;
  const caller = await identifyInPerson(ctx, reader);
  if (caller.memberId !== memberId) throw new AppError('unauthorized');
}

const call = t.createCallerFactory(t.router({ cancelMine }));
const TITLE = 'Cancel the recovery';
const token = z.object({ token: z.string().optional() });

/** The page that the mails about a recovery link to. GET only shows it, because mail scanners follow links; a button cancels. */
export const recoveryPage = {
  get: {
    summary: 'Shows which recovery a link would cancel',
    about: pageAbout({
      tag: 'pages',
      description: 'A button that cancels the recovery',
      query: token,
      shows: ['invalid_token', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }, { say, time }) => {
      const { effectiveAtMs } = await findByToken(ctx, token);
      const body = [
        `<p>${say("Someone asked our support team to let you add a new second factor because the others are lost. You can add it from {time}. If you didn't request this, cancel it.", { time: time(effectiveAtMs) })}</p>`,
        pageForm({ action: '/recovery', hidden: { token }, button: say('Cancel recovery') }),
      ];
      return { title: say(TITLE), body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Cancels a recovery',
    about: pageAbout({
      tag: 'pages',
      description: 'The recovery is canceled',
      form: token,
      shows: ['invalid_token', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }, { say, told }) => {
      const { message } = await call(ctx).cancelMine({ token });
      return { title: say('Recovery canceled'), body: `<p>${escapeHtml(told(message))}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal, _fields: PageFields, { say }: PageWords) {
  const hint = say('It may have expired, or was already canceled.');
  return { title: say(TITLE), body: `${problem(message)}<p>${hint}</p>` };
}
