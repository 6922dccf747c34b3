import { ADDRESS_ATTRIBUTES, escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { pageForm } from '../pages/page-form.js';
import type { PageWords } from '../pages/page-words.js';
import { wayBack } from '../pages/way-back.js';
import { forgot } from './reset-password.js';

const call = t.createCallerFactory(t.router({ forgot }));
const TITLE = 'Forgot your password?';

/** The page that requests a password-reset mail. Notices and expired links lead here. */
export const forgotPage = {
  get: {
    summary: 'A form to ask for a password-reset mail',
    about: pageAbout({ tag: 'pages', description: 'The form', refuses: ['not_found'] }),
    handle: ownPage(async ({ ctx }, { back }, words) => {
      const to = wayBack(ctx.services.config, back);
      const link =
        to === undefined ? '' : `<p><a href="${escapeHtml(to)}">${words.say('Back to sign-in')}</a></p>`;
      return Promise.resolve({ title: words.say(TITLE), body: `${form({}, words)}${link}` });
    }, refused),
  },
  post: {
    summary: 'Asks for a password-reset mail',
    about: pageAbout({
      tag: 'pages',
      description: 'Where to look for the mail, the same whether or not the address is known',
      form: z.object({ email: z.string().optional() }),
      shows: ['invalid_input', 'rate_limited', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { email = '' }, { say, told }) => {
      const { message } = await call(ctx).forgot({ email: email.trim() });
      return {
        title: say('Check your email'),
        body: `<p>${say('{message}. It expires in 30 minutes.', { message: escapeHtml(told(message)) })}</p>`,
      };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal, fields: PageFields, words: PageWords) {
  return { title: words.say(TITLE), body: `${problem(message)}${form(fields, words)}` };
}

function form({ email = '' }: PageFields, { say }: PageWords): string {
  const attributes = `${ADDRESS_ATTRIBUTES} autocomplete="email" required`;
  return pageForm({
    action: '/forgot',
    fields: [{ name: 'email', label: say('Email address'), attributes, value: email }],
    button: say('Send reset link'),
  });
}
