import { escapeHtml } from '@gatehouse/http/pages/escape-html';
import { pageAbout } from '@gatehouse/http/pages/page-about';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../app/context.js';
import { t } from '../app/trpc.js';
import { ownPage, type Refusal } from '../pages/own-page.js';
import { problem } from '../pages/problem.js';
import { findRestoration, restoreOwn } from './restore-own.js';

const call = t.createCallerFactory(t.router({ restoreOwn }));

const SHOWN = { title: 'Come back' };
const DONE = { title: 'You are back' };
const token = z.object({ token: z.string().optional() });

/**
 * The page that the mail after a deletion links to. GET only shows it, because mail scanners follow links; a
 * button restores.
 */
export const restorePage = {
  get: {
    summary: 'Shows whom a link would bring back',
    about: pageAbout({
      tag: 'pages',
      description: 'A button that brings the member back',
      query: token,
      shows: ['invalid_token', 'grace_over', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { isUsed, erasesAtMs } = await findRestoration(ctx.services, token);
      if (isUsed)
        return { ...DONE, body: '<p>You were brought back before. There is nothing left to do.</p>' };
      const body = [
        `<p>What we know of you is erased on ${new Date(erasesAtMs).toUTCString()}. Until then you can come back,`,
        'with the accounts that were closed along.</p>',
        '<form method="post" action="/restore">',
        `<input type="hidden" name="token" value="${escapeHtml(token)}">`,
        '<button type="submit">Yes, bring me back</button>',
        '</form>',
      ];
      return { ...SHOWN, body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Brings a member back who deleted themselves',
    about: pageAbout({
      tag: 'pages',
      description: 'The member is back',
      form: token,
      shows: ['invalid_token', 'grace_over', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { message } = await call(ctx).restoreOwn({ token });
      return { ...DONE, body: `<p>${escapeHtml(message)}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal) {
  return {
    ...SHOWN,
    body: `${problem(message)}<p>After the day in the mail nobody can be brought back.</p>`,
  };
}
