import { AppError } from '@gatehouse/auth-core';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { optionalPassword, pageForm } from '../pages/page-form.js';
import type { PageWords, Sentence } from '../pages/page-words.js';
import { approvalDetails, approve } from './approve-address.js';

const call = t.createCallerFactory(t.router({ approvalDetails, approve }));
const TITLE = 'Approve this email change?';
const DONE = 'Thank you';
const token = z.object({ token: z.string().optional() });

/**
 * The page that the mail to the present address links to. GET only shows it, because mail scanners follow
 * links; a button answers, and the password shows that a person pressed it.
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
    handle: ownPage(async ({ ctx }, { token = '' }, words) => {
      const { say, time } = words;
      const { change, isSignedIn } = await call(ctx).approvalDetails({ token });
      if (change === null) return { title: say(DONE), body: `<p>${say("You've already responded.")}</p>` };
      const form = (answer: boolean, button: string, hint: string) =>
        pageForm({
          action: '/email-approval',
          hidden: { token, approve: String(answer) },
          fields: isSignedIn
            ? []
            : [
                optionalPassword(words, {
                  id: answer ? 'agree' : 'refuse',
                  label: say('Password (optional)'),
                  hint,
                }),
              ],
          button,
        });
      const { effectiveAt } = change;
      const body = [
        `<p>${say('Your email would change from {email} to {pending}.', {
          email: `<strong>${escapeHtml(change.email)}</strong>`,
          pending: `<strong>${escapeHtml(change.pendingEmail)}</strong>`,
        })}</p>`,
        ...(effectiveAt === null
          ? []
          : [
              `<p>${say('This change was approved without a password. It takes effect on {time} unless you reject it.', { time: time(Date.parse(effectiveAt)) })}</p>`,
            ]),
        form(true, say('Approve change'), say('Without your password, the change takes effect in one hour.')),
        `<p>${say("Didn't request this? Reject it, and nothing will change.")}</p>`,
        form(
          false,
          say('Reject change'),
          say('With your password, all your devices are signed out as well.'),
        ),
      ];
      return { title: say(TITLE), body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Agrees to a change of address, or refuses it',
    about: pageAbout({
      tag: 'pages',
      description: 'The answer is kept',
      form: token.extend({ approve: z.enum(['true', 'false']), password: z.string().optional() }),
      shows: [
        'invalid_input',
        'invalid_token',
        'invalid_credentials',
        'email_taken',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', approve: answer = '', password = '' }, { say, told }) => {
      if (answer !== 'true' && answer !== 'false') throw new AppError('invalid_input');
      const proof = password === '' ? {} : { password };
      const { message } = await call(ctx).approve({ token, approve: answer === 'true', ...proof });
      return { title: say(DONE), body: `<p>${escapeHtml(told(message))}.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const HINTS: Partial<Record<Refusal['code'], Sentence>> = {
  invalid_credentials: 'Nothing has changed. Open the link again, and enter the correct password or none.',
  rate_limited: 'Nothing has changed. Open the link again, and enter no password.',
};

function refused({ code, message }: Refusal, _fields: PageFields, { say }: PageWords) {
  const hint = HINTS[code] ?? 'The change was canceled, was replaced by another one, or has expired.';
  return { title: say(TITLE), body: `${problem(message)}<p>${say(hint)}</p>` };
}
