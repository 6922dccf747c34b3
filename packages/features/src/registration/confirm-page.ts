import { readableAddress } from '@gatehouse/auth-core';
import { ADDRESS_ATTRIBUTES } from '@gatehouse/http/pages/address-attributes';
import { escapeHtml } from '@gatehouse/http/pages/escape-html';
import { pageAbout } from '@gatehouse/http/pages/page-about';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../app/context.js';
import { t } from '../app/trpc.js';
import { ownPage, type Refusal } from '../pages/own-page.js';
import { problem } from '../pages/problem.js';
import { confirm } from './confirm.js';
import { confirmationDetails } from './confirmation-details.js';

const call = t.createCallerFactory(t.router({ confirm, confirmationDetails }));

const SHOWN = { title: 'Confirm your e-mail address' };
const token = z.object({ token: z.string().optional() });

const DONE = { title: 'Your address is confirmed' };

/**
 * The page that an activation mail links to. GET only shows it, because mail scanners follow links; a button
 * confirms.
 */
export const confirmPage = {
  get: {
    summary: 'Shows what an activation link would confirm',
    about: pageAbout({
      tag: 'pages',
      description: 'What the link would confirm',
      query: token,
      shows: ['invalid_token', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { email, username, alreadyConfirmed } = await call(ctx).confirmationDetails({
        token,
      });
      if (alreadyConfirmed) return { ...DONE, body: confirmedBefore(email) };
      const body = [
        `<p>Is <strong>${escapeHtml(readableAddress(email))}</strong> your address, and did you register as`,
        `<strong>${escapeHtml(username)}</strong>? If not, close this page: nothing happens.</p>`,
        '<form method="post" action="/confirm">',
        `<input type="hidden" name="token" value="${escapeHtml(token)}">`,
        '<label for="email">E-mail address</label>',
        `<input id="email" name="email" ${ADDRESS_ATTRIBUTES} autocomplete="username" readonly value="${escapeHtml(email)}">`,
        '<label for="password">Your password, if you chose one when you registered</label>',
        '<input id="password" name="password" type="password" autocomplete="current-password" aria-describedby="why">',
        '<p class="hint" id="why">It shows that you registered, and nobody else with your address. You may leave it out; the',
        'password then ends once you sign in through a provider or a mail. With a second factor it is needed for a new address.</p>',
        '<button type="submit">Yes, confirm this address</button>',
        '</form>',
      ];
      return { ...SHOWN, body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Confirms an address',
    about: pageAbout({
      tag: 'pages',
      description: 'The address is confirmed',
      form: token.extend({ password: z.string().optional() }),
      shows: [
        'invalid_token',
        'password_required',
        'invalid_credentials',
        'email_taken',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', password = '' }) => {
      const proof = password === '' ? {} : { password };
      const { email, alreadyConfirmed } = await call(ctx).confirm({ token, ...proof });
      if (alreadyConfirmed) return { ...DONE, body: confirmedBefore(email) };
      return { ...DONE, body: `<p>Thank you: <strong>${escapeHtml(email)}</strong> is yours.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function confirmedBefore(email: string): string {
  return `<p><strong>${escapeHtml(email)}</strong> was confirmed before. There is nothing left to do.</p>`;
}

const HINTS: Partial<Record<Refusal['code'], string>> = {
  email_taken: 'Somebody else has this address by now.',
  password_required: 'The address is not confirmed yet. Follow the link again, and enter the password.',
  invalid_credentials:
    'The address is not confirmed yet. Follow the link again, with the password or without.',
  rate_limited: 'The address is not confirmed yet. Follow the link again, without the password.',
};

function refused(refusal: Refusal) {
  const hint =
    HINTS[refusal.code] ??
    'Sign in and ask for another mail: a link lives for some days only, and not past a change of address.';
  return { ...SHOWN, body: `${problem(refusal.message)}<p>${hint}</p>` };
}
