import type { InputIssue } from '@gatehouse/auth-core';
import { ADDRESS_ATTRIBUTES, escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { type FormField, pageForm } from '../pages/page-form.js';
import type { PageWords } from '../pages/page-words.js';
import { register } from './register.js';

const call = t.createCallerFactory(t.router({ register }));
const TITLE = 'Create your account';
const word = z.string().optional();

const fieldsIn = ({ say }: PageWords): readonly FormField[] => [
  {
    name: 'email',
    label: say('Email address'),
    attributes: `${ADDRESS_ATTRIBUTES} autocomplete="email" required`,
  },
  {
    name: 'username',
    label: say('Username'),
    attributes: 'autocomplete="username" required maxlength="100"',
  },
  {
    name: 'password',
    label: say('Password'),
    attributes: 'type="password" autocomplete="new-password" required',
    hint: say('At least 8 characters. Several unrelated words work well.'),
  },
  {
    name: 'firstName',
    label: say('First name (optional)'),
    attributes: 'autocomplete="given-name" maxlength="100"',
  },
  {
    name: 'lastName',
    label: say('Last name (optional)'),
    attributes: 'autocomplete="family-name" maxlength="100"',
  },
];

/** The page that affiliates link to while there is no front end. The form keeps the affiliate's code. */
export const registerPage = {
  get: {
    summary: 'A form to register with',
    about: pageAbout({
      tag: 'pages',
      description: 'The form',
      query: z.object({ ref: word }),
      refuses: ['not_found'],
    }),
    handle: ownPage(
      async (_exchange, { ref = '' }, words) =>
        Promise.resolve({ title: words.say(TITLE), body: form({ ref }, words) }),
      refused,
    ),
  },
  post: {
    summary: 'Registers a member from the form of the page',
    about: pageAbout({
      tag: 'pages',
      description: 'Where to look for the mail',
      form: z.object({
        email: word,
        username: word,
        password: word,
        firstName: word,
        lastName: word,
        ref: word,
      }),
      shows: ['invalid_input', 'username_taken', 'email_taken', 'rate_limited', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, fields, { say }) => {
      const { email = '', username = '', password = '' } = fields;
      const others = ['firstName', 'lastName', 'ref'].flatMap((name) => {
        const value = fields[name]?.trim() ?? '';
        return value === '' ? [] : [[name, value] as const];
      });
      await call(ctx).register({ email, username, password, ...Object.fromEntries(others) });
      const body = [
        `<p>${say('Your account has been created, {username}. You can sign in now.', { username: `<strong>${escapeHtml(username.trim())}</strong>` })}</p>`,
        `<p>${say('We sent a link to {email}. Click it to confirm your address.', { email: `<strong>${escapeHtml(email.trim())}</strong>` })}</p>`,
      ];
      return { title: say('Welcome'), body: body.join('\n') };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message, issues }: Refusal, fields: PageFields, words: PageWords) {
  const known = new Map(fieldsIn(words).map(({ name, label }) => [name, label]));
  const problems = issues.map(
    ({ path, message: said }) => `${known.get(path) ?? path}: ${words.issue(said, said)}`,
  );
  const lead = problems.length === 0 ? problem(message) : problem(...problems);
  return { title: words.say(TITLE), body: `${lead}${form(fields, words, issues)}` };
}

/** The form with the entered values, except the password. */
function form(fields: PageFields, words: PageWords, issues: readonly InputIssue[] = []): string {
  return pageForm({
    action: '/registration',
    hidden: { ref: fields['ref'] ?? '' },
    fields: fieldsIn(words).map((field) => ({
      ...field,
      value: field.name === 'password' ? '' : (fields[field.name] ?? ''),
    })),
    button: words.say('Create account'),
    wrong: new Set(issues.map(({ path }) => path)),
  });
}
