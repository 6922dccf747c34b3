import { readableAddress } from '@gatehouse/auth-core';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { totpCodeSchema } from '../authentication/second-factor/factor-codes.js';
import type { Context } from '../core/context.js';
import { t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { type FormField, optionalPassword, ownAddress, pageForm } from '../pages/page-form.js';
import type { PageWords, Sentence } from '../pages/page-words.js';
import { confirm, confirmationDetails } from './confirm-address.js';

const call = t.createCallerFactory(t.router({ confirm, confirmationDetails }));
const TITLE = 'Confirm your email address';
const DONE = 'Your address is confirmed';
const token = z.object({ token: z.string().optional() });

const passwordField = (words: PageWords, isChange: boolean): FormField =>
  optionalPassword(words, {
    label: words.say('Password (optional)'),
    hint: words.say(
      isChange
        ? 'Enter it to confirm that the account is yours, too.'
        : 'Enter the password you chose when signing up to keep using it.',
    ),
  });

/** For the next address of a member with a second factor. */
const proofFields = (words: PageWords): readonly FormField[] => [
  optionalPassword(words),
  {
    name: 'code',
    label: words.say('Or a code from your authenticator app, or a backup code'),
    attributes: 'autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"',
  },
];

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
    handle: ownPage(async ({ ctx }, { token = '' }, words) => {
      const { say } = words;
      const { email, username, alreadyConfirmed, isChange, asksProof } = await call(ctx).confirmationDetails({
        token,
      });
      if (alreadyConfirmed) return { title: say(DONE), body: confirmedBefore(email, say) };
      const named = {
        email: `<strong>${escapeHtml(readableAddress(email))}</strong>`,
        username: `<strong>${escapeHtml(username)}</strong>`,
      };
      const question = isChange
        ? 'Use {email} as the email address of {username}? Not your account? Just close this page.'
        : "Confirm {email} for {username}? Didn't sign up? Just close this page.";
      const body = [
        `<p>${say(question, named)}</p>`,
        pageForm({
          action: '/confirm',
          hidden: { token },
          lead: asksProof
            ? `<p>${say("Two-step sign-in is on for your account, so please confirm it's you.")}</p>`
            : '',
          fields: [
            ownAddress(words, email),
            ...(asksProof ? proofFields(words) : [passwordField(words, isChange)]),
          ],
          button: say('Confirm address'),
        }),
      ];
      return { title: say(TITLE), body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Confirms an address',
    about: pageAbout({
      tag: 'pages',
      description: 'The address is confirmed',
      form: token.extend({ password: z.string().optional(), code: z.string().optional() }),
      shows: [
        'invalid_input',
        'invalid_token',
        'password_required',
        'invalid_credentials',
        'email_taken',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', password = '', code = '' }, { say }) => {
      const proof = password === '' ? codeIn(code.trim()) : { password };
      const { email, alreadyConfirmed, awaitsOld } = await call(ctx).confirm({ token, ...proof });
      if (awaitsOld) return { title: say(DONE), body: `<p>${say(AWAITS_OLD)}</p>` };
      if (alreadyConfirmed) return { title: say(DONE), body: confirmedBefore(email, say) };
      return {
        title: say(DONE),
        body: `<p>${say('{email} now belongs to your account.', { email: `<strong>${escapeHtml(email)}</strong>` })}</p>`,
      };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const AWAITS_OLD = 'It takes effect once you also approve the change in the email to your current address.';

/** Six digits are from an app; anything longer can only be a backup code. */
function codeIn(text: string): { code?: string; backupCode?: string } {
  if (text === '') return {};
  return totpCodeSchema.safeParse(text).success ? { code: text } : { backupCode: text };
}

function confirmedBefore(email: string, say: PageWords['say']): string {
  return `<p>${say('{email} is already confirmed.', { email: `<strong>${escapeHtml(email)}</strong>` })}</p>`;
}

const HINTS: Partial<Record<Refusal['code'], Sentence>> = {
  email_taken: 'Another account now has this address.',
  password_required:
    'The address is not confirmed yet. Open the link again and enter the password or a code.',
  invalid_credentials: 'The address is not confirmed yet. Open the link again and enter the correct one.',
  invalid_input: 'The address is not confirmed yet. Open the link again and enter the code exactly as shown.',
  rate_limited: 'The address is not confirmed yet. Open the link again later.',
};

function refused({ code, message }: Refusal, _fields: PageFields, { say }: PageWords) {
  const hint = HINTS[code] ?? 'This confirmation link is no longer valid. Sign in and request a new email.';
  return { title: say(TITLE), body: `${problem(message)}<p>${say(hint)}</p>` };
}
