import { ADDRESS_ATTRIBUTES, escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { pageForm } from '../pages/page-form.js';
import { wayBack } from '../pages/way-back.js';
import { forgot } from './reset-password.js';

const call = t.createCallerFactory(t.router({ forgot }));
const SHOWN = { title: 'Forgot your password?' };

/** The page that requests a password-reset mail. Notices and expired links lead here. */
export const forgotPage = {
  get: {
    summary: 'A form to ask for a password-reset mail',
    about: pageAbout({ tag: 'pages', description: 'The form', refuses: ['not_found'] }),
    handle: ownPage(async ({ ctx }, { back }) => {
      const to = wayBack(ctx.services.config, back);
      const link = to === undefined ? '' : `<p><a href="${escapeHtml(to)}">Back to sign-in</a></p>`;
      return Promise.resolve({ ...SHOWN, body: `${form({})}${link}` });
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
    handle: ownPage(async ({ ctx }, { email = '' }) => {
      const { message } = await call(ctx).forgot({ email: email.trim() });
      return {
        title: 'Check your email',
        body: `<p>${escapeHtml(message)}. It expires in 30 minutes.</p>`,
      };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ message }: Refusal, fields: PageFields) {
  return { ...SHOWN, body: `${problem(message)}${form(fields)}` };
}

function form({ email = '' }: PageFields): string {
  const attributes = `${ADDRESS_ATTRIBUTES} autocomplete="email" required`;
  return pageForm({
    action: '/forgot',
    fields: [{ name: 'email', label: 'Email address', attributes, value: email }],
    button: 'Send reset link',
  });
}
