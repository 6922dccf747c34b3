import { AppError } from '@gatehouse/auth-core';
import { escapeHtml } from '@gatehouse/http/pages/escape-html';
import { pageAbout } from '@gatehouse/http/pages/page-about';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../app/context.js';
import { maskAddress } from '../app/mask-address.js';
import { t } from '../app/trpc.js';
import { ownPage, type Refusal } from '../pages/own-page.js';
import { problem } from '../pages/problem.js';
import { approve } from './approve.js';
import { findApproval } from './find-approval.js';

const call = t.createCallerFactory(t.router({ approve }));

const SHOWN = { title: 'May your e-mail address be changed?' };
const DONE = { title: 'Your answer' };
const token = z.object({ token: z.string().optional() });

/**
 * The page that the mail to the present address links to. GET only shows it, because mail scanners follow
 * links; a button answers.
 */
export const approvalPage = {
  get: {
    summary: 'Shows the change of address that a link is about',
    about: pageAbout({
      tag: 'pages',
      description: 'The change, and two buttons',
      query: token,
      shows: ['invalid_token', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { change } = await findApproval(ctx.services, token);
      if (change === undefined) return { ...DONE, body: '<p>This was answered before.</p>' };
      const button = (answer: boolean, label: string) => [
        '<form method="post" action="/email-approval">',
        `<input type="hidden" name="token" value="${escapeHtml(token)}">`,
        `<input type="hidden" name="approve" value="${answer}">`,
        `<button type="submit">${label}</button>`,
        '</form>',
      ];
      const body = [
        `<p>May <strong>${escapeHtml(maskAddress(change.pendingEmail))}</strong> take the place of`,
        `<strong>${escapeHtml(change.email)}</strong>?</p>`,
        ...button(true, 'Yes, change the address'),
        '<p>If it was not you, refuse: the change stops, and everybody is signed out.</p>',
        ...button(false, 'No, stop it and sign everybody out'),
      ];
      return { ...SHOWN, body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Agrees to a change of address, or refuses it',
    about: pageAbout({
      tag: 'pages',
      description: 'The answer is kept',
      form: token.extend({ approve: z.enum(['true', 'false']) }),
      shows: ['invalid_input', 'invalid_token', 'email_taken', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', approve: answer = '' }) => {
      if (answer !== 'true' && answer !== 'false') throw new AppError('invalid_input');
      const { message } = await call(ctx).approve({ token, approve: answer === 'true' });
      return { ...DONE, body: `<p>${escapeHtml(message)}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal) {
  const hint = 'The change may have been given up or replaced by another, or it took too long.';
  return { ...SHOWN, body: `${problem(message)}<p>${hint}</p>` };
}
