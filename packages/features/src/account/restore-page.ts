import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { ownPassword, pageForm } from '../pages/page-form.js';
import type { PageWords } from '../pages/page-words.js';
import { findRestoration, restoreOwnMember } from './restore-own-member.js';

const call = t.createCallerFactory(t.router({ restoreOwn: restoreOwnMember }));

const TITLE = 'Restore your account?';

const DONE = 'Welcome back';

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
    handle: ownPage(async ({ ctx }, { token = '' }, words) => {
      const { say, time } = words;
      const { isUsed, erasesAtMs } = await findRestoration(ctx.services, token);
      if (isUsed)
        return { title: say(DONE), body: `<p>${say('Your account has already been restored')}.</p>` };
      const body = [
        `<p>${say('Your account will be permanently erased on {time}. Until then you can restore it, with the organizations that were closed with it.', { time: time(erasesAtMs) })}</p>`,
        form({ hidden: { token }, fields: [ownPassword(words)], button: say(BACK) }),
        form({
          hidden: { token },
          lead: `<p>${say('No password, or forgot it?')}</p>`,
          button: say('Email me a code'),
        }),
      ];
      return { title: say(TITLE), body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Brings a member back who deleted themselves',
    about: pageAbout({
      tag: 'pages',
      description: 'The member has been restored',
      form: token.extend({ password: z.string().optional(), code: z.string().optional() }),
      shows: [
        'invalid_input',
        'invalid_token',
        'grace_over',
        'proof_required',
        'invalid_credentials',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', password = '', code = '' }, { say, told }) => {
      const emailCode = code.trim() === '' ? {} : { emailCode: code.trim() };
      const proof = password === '' ? emailCode : { password };
      const { message } = await call(ctx).restoreOwn({ token, ...proof });
      return { title: say(DONE), body: `<p>${escapeHtml(told(message))}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const BACK = 'Restore account';

const form = (parts: Omit<Parameters<typeof pageForm>[0], 'action'>) =>
  pageForm({ action: '/restore', ...parts });

const AGAIN: readonly Refusal['code'][] = ['invalid_input', 'invalid_credentials', 'rate_limited'];

function refused({ code, message }: Refusal, { token = '' }: PageFields, { say }: PageWords) {
  if (code === 'proof_required') {
    const body = [
      `<p>${say("We've emailed you a code.")}</p>`,
      form({
        hidden: { token },
        fields: [
          {
            name: 'code',
            label: say('8-digit code'),
            attributes: 'inputmode="numeric" autocomplete="one-time-code" required',
          },
        ],
        button: say(BACK),
      }),
    ];
    return { title: say('Check your email'), body: body.join('\n') };
  }
  const hint = AGAIN.includes(code)
    ? 'Your account is not restored yet. Open the link again.'
    : 'After the date in the email, the account can no longer be restored.';
  return { title: say(TITLE), body: `${problem(message)}<p>${say(hint)}</p>` };
}
