import { escapeHtml } from '@gatehouse/http/pages/escape-html';
import { pageAbout } from '@gatehouse/http/pages/page-about';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../../core/app/context.js';
import { t } from '../../core/app/trpc.js';
import { ownPage, type Refusal } from '../../pages/own-page.js';
import { problem } from '../../pages/problem.js';
import { cancelMine, findByToken } from './cancel-mine.js';

const call = t.createCallerFactory(t.router({ cancelMine }));

const SHOWN = { title: 'Cancel the recovery' };
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
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { effectiveAtMs } = await findByToken(ctx, token);
      const body = [
        '<p>Somebody asked our staff to let you add a new second step, because the others are lost. That becomes possible',
        `on ${new Date(effectiveAtMs).toUTCString()}. If it was not you, cancel it.</p>`,
        '<form method="post" action="/recovery">',
        `<input type="hidden" name="token" value="${escapeHtml(token)}">`,
        '<button type="submit">Cancel it</button>',
        '</form>',
      ];
      return { ...SHOWN, body: body.join('\n') };
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
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { message } = await call(ctx).cancelMine({ token });
      return { title: 'It is canceled', body: `<p>${escapeHtml(message)}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal) {
  return { ...SHOWN, body: `${problem(message)}<p>It may have ended, or was canceled before.</p>` };
}
