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
  label: 'Your password, if you chose one when you registered',
  hint: 'It shows that you registered, and nobody else with your address. You may leave it out; the password then ends once you sign in through a provider or a mail.',
});

const CHANGE_FIELD = optionalPassword({
  label: 'Your password, if you like',
  hint: 'It shows that the account is yours too.',
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
        ? `<p>Shall <strong>${address}</strong> become the address of <strong>${name}</strong>? If that is not you,`
        : `<p>Is <strong>${address}</strong> your address, and did you register as <strong>${name}</strong>? If not,`;
      const body = [
        `${question} close this page: nothing happens.</p>`,
        pageForm({
          action: '/confirm',
          hidden: { token },
          lead: asksProof ? '<p>You sign in in two steps. So show that it is you, by one of these.</p>' : '',
          fields: [
            ownAddress(email),
            ...(asksProof ? PROOF_FIELDS : [isChange ? CHANGE_FIELD : PASSWORD_FIELD]),
          ],
          button: 'Yes, confirm this address',
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
      return { ...DONE, body: `<p>Thank you: <strong>${escapeHtml(email)}</strong> is yours.</p>` };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const AWAITS_OLD =
  '<p>It takes the place of the present address as soon as you agree in the mail that went there.</p>';

/** Six digits are from an app; anything longer can only be a backup code. */
function codeIn(text: string): { code?: string; backupCode?: string } {
  if (text === '') return {};
  return totpCodeSchema.safeParse(text).success ? { code: text } : { backupCode: text };
}

function confirmedBefore(email: string): string {
  return `<p><strong>${escapeHtml(email)}</strong> was confirmed before. There is nothing left to do.</p>`;
}

const NOT_YET = 'The address is not confirmed yet. Follow the link again,';

const HINTS: Partial<Record<Refusal['code'], string>> = {
  email_taken: 'Somebody else has this address by now.',
  password_required: `${NOT_YET} and enter the password or a code.`,
  invalid_credentials: `${NOT_YET} and enter the right one.`,
  invalid_input: `${NOT_YET} and enter the code as you see it.`,
  rate_limited: `${NOT_YET} later.`,
};

function refused(refusal: Refusal) {
  const hint =
    HINTS[refusal.code] ??
    'Sign in and ask for another mail: a link lives for some days only, and not past a change of address.';
  return { ...SHOWN, body: `${problem(refusal.message)}<p>${hint}</p>` };
}
