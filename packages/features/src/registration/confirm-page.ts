import { readableAddress } from '@gatehouse/auth-core';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { totpCodeSchema } from '../authentication/second-factor/factor-codes.js';
import type { Context } from '../core/context.js';
import { t } from '../core/context.js';
import { ownPage, problem, type Refusal } from '../pages/own-page.js';
import { type FormField, optionalPassword, ownAddress, pageForm } from '../pages/page-form.js';
import { confirm, confirmationDetails } from './confirm-address.js';

const call = t.createCallerFactory(t.router({ confirm, confirmationDetails }));
const SHOWN = { title: 'Confirm your email address' };
const token = z.object({ token: z.string().optional() });

const PASSWORD_FIELD = optionalPassword({
  label: 'Password (optional)',
  hint: 'Enter the password you chose when signing up to keep using it.',
});

const CHANGE_FIELD = optionalPassword({
  label: 'Password (optional)',
  hint: 'Enter it to confirm that the account is yours, too.',
});

/** For the next address of a member with a second factor. */
const PROOF_FIELDS: readonly FormField[] = [
  optionalPassword(),
  {
    name: 'code',
    label: 'Or a code from your authenticator app, or a backup code',
    attributes: 'autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"',
  },
];

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
      const { email, username, alreadyConfirmed, isChange, asksProof } = await call(ctx).confirmationDetails({
        token,
      });
      if (alreadyConfirmed) return { ...DONE, body: confirmedBefore(email) };
      const [address, name] = [escapeHtml(readableAddress(email)), escapeHtml(username)];
      const question = isChange
        ? `<p>Use <strong>${address}</strong> as the email address of <strong>${name}</strong>? Not your account?`
        : `<p>Confirm <strong>${address}</strong> for <strong>${name}</strong>? Didn't sign up?`;
      const body = [
        `${question} Just close this page.</p>`,
        pageForm({
          action: '/confirm',
          hidden: { token },
          lead: asksProof
            ? "<p>Two-step sign-in is on for your account, so please confirm it's you.</p>"
            : '',
          fields: [
            ownAddress(email),
            ...(asksProof ? PROOF_FIELDS : [isChange ? CHANGE_FIELD : PASSWORD_FIELD]),
          ],
          button: 'Confirm address',
        }),
      ];
      return { ...SHOWN, body: body.join('\n') };
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
    handle: ownPage(async ({ ctx }, { token = '', password = '', code = '' }) => {
      const proof = password === '' ? codeIn(code.trim()) : { password };
      const { email, alreadyConfirmed, awaitsOld } = await call(ctx).confirm({ token, ...proof });
      if (awaitsOld) return { ...DONE, body: AWAITS_OLD };
      if (alreadyConfirmed) return { ...DONE, body: confirmedBefore(email) };
      return {
        ...DONE,
        body: `<p><strong>${escapeHtml(email)}</strong> now belongs to your account.</p>`,
      };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const AWAITS_OLD =
  '<p>It takes effect once you also approve the change in the email to your current address.</p>';

/** Six digits are from an app; anything longer can only be a backup code. */
function codeIn(text: string): { code?: string; backupCode?: string } {
  if (text === '') return {};
  return totpCodeSchema.safeParse(text).success ? { code: text } : { backupCode: text };
}

function confirmedBefore(email: string): string {
  return `<p><strong>${escapeHtml(email)}</strong> is already confirmed.</p>`;
}

const NOT_YET = 'The address is not confirmed yet. Open the link again';

const HINTS: Partial<Record<Refusal['code'], string>> = {
  email_taken: 'Another account now has this address.',
  password_required: `${NOT_YET} and enter the password or a code.`,
  invalid_credentials: `${NOT_YET} and enter the correct one.`,
  invalid_input: `${NOT_YET} and enter the code exactly as shown.`,
  rate_limited: `${NOT_YET} later.`,
};

function refused(refusal: Refusal) {
  const hint =
    HINTS[refusal.code] ?? 'This confirmation link is no longer valid. Sign in and request a new email.';
  return { ...SHOWN, body: `${problem(refusal.message)}<p>${hint}</p>` };
}
