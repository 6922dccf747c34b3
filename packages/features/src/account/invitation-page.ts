import { AppError } from '@gatehouse/auth-core';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { webLogin } from '../authentication/password-logins.js';
import { endOwnSession } from '../authentication/session/end-sessions.js';
import { codeForm, keepFlow } from '../authentication/sign-in-page.js';
import { type Context, t } from '../core/context.js';
import { mailName } from '../mail/mail-name.js';
import { roleName } from '../mail/role-names.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { chosenPassword, type FormField, ownAddress, ownPassword, pageForm } from '../pages/page-form.js';
import type { PageWords, Sentence } from '../pages/page-words.js';
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

const TITLE = 'You have been invited';

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
    handle: ownPage(async ({ ctx }, { token: link = '' }, words) => {
      const { say, time, language } = words;
      const shown = await call(ctx).preview({ token: link });
      const account = mailName(shown.accountName);
      const body = [
        `<p>${say(
          '{inviter} invited {email} to join {account}, as {role}. The invitation expires on {time}.',
          {
            inviter: `<strong>${escapeHtml(mailName(shown.inviterName) ?? say('Someone'))}</strong>`,
            email: `<strong>${escapeHtml(shown.email)}</strong>`,
            account:
              account === undefined ? say('an organization') : `<strong>${escapeHtml(account)}</strong>`,
            role: escapeHtml(mailName(roleName(shown.role, language)) ?? say('a member')),
            time: time(Date.parse(shown.expiresAt)),
          },
        )}</p>`,
        answerForms(
          {
            token: link,
            email: shown.email,
            action: shown.isReturning ? 'return' : shown.isRegistered ? 'accept' : 'join',
          },
          words,
        ),
      ];
      return { title: say(TITLE), body: body.join('\n') };
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
    handle: ownPage(async ({ ctx, response }, fields, words) => {
      const { say, told } = words;
      switch (fields['action']) {
        case 'decline':
          await call(ctx).decline({ token: fields['token'] ?? '' });
          return { title: say('Invitation declined'), body: `<p>${say('You can close this page.')}</p>` };
        case 'join':
        case 'return':
          await joinByInvitation(ctx, joiningPerson.parse(filledIn(fields)));
          return {
            title: say('Welcome'),
            body: `<p>${say('You joined the organization. Sign in with your email address and password.')}</p>`,
          };
        default:
          try {
            await acceptWithPassword(ctx, fields);
          } catch (error) {
            if (!(error instanceof AppError) || error.flow === undefined) throw error;
            response.setHeader('Set-Cookie', keepFlow(ctx.services, error.flow));
            return {
              title: say('Check your email'),
              body: `${problem(told(error.message))}<p>${say(PROOF_SENT)}</p>${codeForm(words)}`,
            };
          }
          return {
            title: say('Invitation accepted'),
            body: `<p>${say('You are now a member of the organization.')}</p>`,
          };
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
  'You deleted your account, but it can still be restored. Enter your password to restore it with your organizations, and join this one.';

const PROOF_SENT = 'We emailed you a code to confirm your address. Then open the invitation link again.';

const HINTS: Partial<Record<Refusal['code'], Sentence>> = {
  unconfirmed: 'We emailed you a link to set a new password. Then open the invitation link again.',
  sign_in_required: 'Open the invitation link again.',
  invalid_token: 'Ask the person who invited you to resend it.',
  permission_denied: 'Staff access organizations from the console.',
};

/** The fields of people who join, as the form names them. */
const LABELS = {
  email: 'Email address',
  username: 'Username',
  firstName: 'First name',
  lastName: 'Last name',
  password: 'Password',
} as const;

const isField = (name: string): name is keyof typeof LABELS => Object.hasOwn(LABELS, name);

/** Errors that the person can correct in the form, which is shown again. */
const CORRECTABLE: readonly Refusal['code'][] = [
  'invalid_input',
  'invalid_credentials',
  'username_taken',
  'rate_limited',
  'unavailable',
];

function refused({ code, message, issues }: Refusal, fields: PageFields, words: PageWords) {
  const { say } = words;
  const title = say(TITLE);
  if (CORRECTABLE.includes(code)) {
    const reasons = issues.map(({ path, message: found }) => {
      const reason = words.issue(found, found);
      return isField(path) ? `${say(LABELS[path])}: ${reason}` : reason;
    });
    const problems = problem(...(reasons.length > 0 ? reasons : [message]));
    const wrong = new Set(issues.map(({ path }) => path));
    return { title, body: `${problems}${answerForms(fields, words, wrong)}` };
  }
  const hint = HINTS[code];
  return { title, body: `${problem(message)}${hint === undefined ? '' : `<p>${say(hint)}</p>`}` };
}

function answerForms(fields: PageFields, words: PageWords, wrong = new Set<string>()): string {
  const { say } = words;
  const { token: link = '', email = '', action = 'accept' } = fields;
  const form = (answer: string, shown: readonly FormField[], button: string, lead = '') =>
    pageForm({
      action: '/invitation',
      hidden: { token: link, action: answer },
      lead,
      fields: shown,
      button,
      wrong,
    });
  const address = ownAddress(words, email, 'email');
  const named = (name: keyof typeof LABELS, attributes: string): FormField => ({
    name,
    label: say(LABELS[name]),
    attributes,
    value: fields[name] ?? '',
  });
  const answers = {
    join: () =>
      form(
        'join',
        [
          address,
          named('username', 'autocomplete="username" required'),
          named('firstName', 'autocomplete="given-name"'),
          named('lastName', 'autocomplete="family-name"'),
          chosenPassword(words, 'Choose a password'),
        ],
        say('Join'),
      ),
    return: () =>
      form(
        'return',
        [address, ownPassword(words)],
        say('Restore account and join'),
        `<p>${say(RETURNING)}</p>`,
      ),
    accept: () => form('accept', [address, ownPassword(words)], say('Accept')),
  };
  const answer = action === 'join' || action === 'return' ? answers[action]() : answers.accept();
  return `${answer}\n${form('decline', [], say('Decline'))}`;
}
