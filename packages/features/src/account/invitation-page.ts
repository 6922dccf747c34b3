import { AppError } from '@gatehouse/auth-core';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { webLogin } from '../authentication/password-logins.js';
import { endOwnSession } from '../authentication/session/end-sessions.js';
import { codeForm, keepFlow } from '../authentication/sign-in-page.js';
import { type Context, t } from '../core/context.js';
import { englishTime } from '../mail/mail-kind.js';
import { mailName } from '../mail/mail-name.js';
import { roleName } from '../mail/role-names.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { chosenPassword, type FormField, ownAddress, ownPassword, pageForm } from '../pages/page-form.js';
import { acceptInvitation } from './accept-invitation.js';
import { declineInvitation } from './decline-invitation.js';
import { LINK_REFUSALS, previewInvitation } from './invitation-link.js';
import { joinByInvitation, joiningPerson } from './join-by-invitation.js';

const call = t.createCallerFactory(
  t.router({
    accept: acceptInvitation,
    decline: declineInvitation,
    end: endOwnSession,
    preview: previewInvitation,
    web: webLogin,
  }),
);

const SHOWN = { title: 'You have been invited' };

const token = z.object({ token: z.string().optional() });

/**
 * The page that an invitation links to. GET only shows it, because mail scanners follow links; a button
 * answers.
 */
export const invitationPage = {
  get: {
    summary: 'Shows what an invitation is about',
    about: pageAbout({
      tag: 'pages',
      description: 'What the invitation is about',
      query: token,
      shows: [...LINK_REFUSALS, 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token: link = '' }) => {
      const shown = await call(ctx).preview({ token: link });
      const account = mailName(shown.accountName);
      const body = [
        `<p><strong>${escapeHtml(mailName(shown.inviterName) ?? 'Someone')}</strong> invited`,
        `<strong>${escapeHtml(shown.email)}</strong> to join ${
          account === undefined ? 'an organization' : `<strong>${escapeHtml(account)}</strong>`
        }, as ${escapeHtml(mailName(roleName(shown.role, 'en')) ?? 'a member')}.`,
        `The invitation expires on ${englishTime(Date.parse(shown.expiresAt))}.</p>`,
        answerForms({
          token: link,
          email: shown.email,
          action: shown.isReturning ? 'return' : shown.isRegistered ? 'accept' : 'join',
        }),
      ];
      return { ...SHOWN, body: body.join('\n') };
    }, refused),
  },
  post: {
    summary: 'Answers an invitation',
    about: pageAbout({
      tag: 'pages',
      description: 'The invitation is answered',
      form: token.extend({
        action: z.enum(['accept', 'join', 'return', 'decline']).optional(),
        email: z.string().optional(),
        username: z.string().optional(),
        password: z.string().optional(),
        firstName: z.string().optional(),
        lastName: z.string().optional(),
      }),
      shows: [
        ...LINK_REFUSALS,
        'invalid_input',
        'invalid_credentials',
        'unconfirmed',
        'address_mismatch',
        'sign_in_required',
        'username_taken',
        'email_taken',
        'permission_denied',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx, response }, fields) => {
      switch (fields['action']) {
        case 'decline':
          await call(ctx).decline({ token: fields['token'] ?? '' });
          return { title: 'Invitation declined', body: '<p>You can close this page.</p>' };
        case 'join':
        case 'return':
          await joinByInvitation(ctx, joiningPerson.parse(filledIn(fields)));
          return {
            title: 'Welcome',
            body: '<p>You joined the organization. Sign in with your email address and password.</p>',
          };
        default:
          try {
            await acceptWithPassword(ctx, fields);
          } catch (error) {
            if (!(error instanceof AppError) || error.flow === undefined) throw error;
            response.setHeader('Set-Cookie', keepFlow(ctx.services, error.flow));
            return {
              title: 'Check your email',
              body: `${problem(error.message)}${PROOF_SENT}${codeForm()}`,
            };
          }
          return { title: 'Invitation accepted', body: '<p>You are now a member of the organization.</p>' };
      }
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

/** Accepts in a session that is opened with the password and ends with the answer. */
async function acceptWithPassword(ctx: Context, fields: PageFields): Promise<void> {
  const { token: link = '', password = '' } = fields;
  const { email } = await call(ctx).preview({ token: link });
  const session = await call(ctx).web({ email, password });
  const { headerName } = ctx.services.tokens;
  const header = (name: string) => (name === headerName ? session.token : undefined);
  const signedIn = { ...ctx, call: { ...ctx.call, header } };
  try {
    await call(signedIn).accept({ token: link });
  } finally {
    await call(signedIn).end();
  }
}

function filledIn(fields: PageFields): PageFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

const RETURNING =
  '<p>You deleted your account, but it can still be restored. Enter your password to restore it with your organizations, and join this one.</p>';

const PROOF_SENT =
  '<p>We emailed you a code to confirm your address. Then open the invitation link again.</p>';

const HINTS: Partial<Record<Refusal['code'], string>> = {
  unconfirmed: 'We emailed you a link to set a new password. Then open the invitation link again.',
  sign_in_required: 'Open the invitation link again.',
  invalid_token: 'Ask the person who invited you to resend it.',
  permission_denied: 'Staff access organizations from the console.',
};

/** Errors that the person can correct in the form, which is shown again. */
const CORRECTABLE: readonly Refusal['code'][] = [
  'invalid_input',
  'invalid_credentials',
  'username_taken',
  'rate_limited',
  'unavailable',
];

function refused({ code, message, issues }: Refusal, fields: PageFields) {
  if (CORRECTABLE.includes(code)) {
    const reasons = issues.map((issue) => `${issue.path}: ${issue.message}`);
    const problems = problem(...(reasons.length > 0 ? reasons : [message]));
    return { ...SHOWN, body: `${problems}${answerForms(fields)}` };
  }
  const hint = HINTS[code];
  return { ...SHOWN, body: `${problem(message)}${hint === undefined ? '' : `<p>${hint}</p>`}` };
}

function answerForms(fields: PageFields): string {
  const { token: link = '', email = '', action = 'accept' } = fields;
  const form = (answer: string, shown: readonly FormField[], button: string, lead = '') =>
    pageForm({
      action: '/invitation',
      hidden: { token: link, action: answer },
      lead,
      fields: shown,
      button,
    });
  const address = ownAddress(email, 'email');
  const named = (name: string, label: string, attributes: string): FormField => ({
    name,
    label,
    attributes,
    value: fields[name] ?? '',
  });
  const answers = {
    join: () =>
      form(
        'join',
        [
          address,
          named('username', 'Username', 'autocomplete="username" required'),
          named('firstName', 'First name', 'autocomplete="given-name"'),
          named('lastName', 'Last name', 'autocomplete="family-name"'),
          chosenPassword('Choose a password'),
        ],
        'Join',
      ),
    return: () => form('return', [address, ownPassword()], 'Restore account and join', RETURNING),
    accept: () => form('accept', [address, ownPassword()], 'Accept'),
  };
  const answer = action === 'join' || action === 'return' ? answers[action]() : answers.accept();
  return `${answer}\n${form('decline', [], 'Decline')}`;
}
