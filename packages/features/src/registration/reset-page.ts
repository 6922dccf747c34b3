import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { chosenPassword, ownAddress, pageForm } from '../pages/page-form.js';
import { findReset, reset } from './reset-password.js';

const call = t.createCallerFactory(t.router({ reset }));
const SHOWN = { title: 'Set a new password' };

/** The page that a password-reset mail links to. */
export const resetPage = {
  get: {
    summary: 'A form for a new password',
    about: pageAbout({
      tag: 'pages',
      description: 'The form',
      query: z.object({ token: z.string().optional() }),
      shows: ['invalid_token', 'sso_required', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '' }) => {
      const { email } = await findReset(ctx.services, token);
      return { ...SHOWN, body: form({ token, email }) };
    }, refused),
  },
  post: {
    summary: 'Sets a new password',
    about: pageAbout({
      tag: 'pages',
      description: 'The password is set',
      form: z.object({ token: z.string().optional(), password: z.string().optional() }),
      shows: ['invalid_input', 'invalid_token', 'sso_required', 'unavailable'],
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, { token = '', password = '' }) => {
      const { console: url } = await call(ctx).reset({ token, password });
      const lead = "<p>You've been signed out on all devices. Sign in with your new password.</p>";
      const link = url === undefined ? '' : `<p><a href="${escapeHtml(url)}">Sign in to the console</a></p>`;
      return { title: 'Your password has been changed', body: lead + link };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ code, message, issues }: Refusal, fields: PageFields) {
  if (code === 'invalid_input') {
    const reasons = issues
      .filter(({ path }) => path === 'password')
      .map((issue) => `The password ${issue.message}.`);
    return { ...SHOWN, body: `${problem(...(reasons.length > 0 ? reasons : [message]))}${form(fields)}` };
  }
  if (code === 'invalid_token') {
    const body = `${problem(message)}<p><a href="/forgot">Request a new link</a>. Each link works once and expires after 30 minutes.</p>`;
    return { ...SHOWN, body };
  }
  if (code === 'sso_required') return { ...SHOWN, body: problem(message) };
  return { ...SHOWN, body: `${problem(message)}${form(fields)}` };
}

function form({ token = '', email = '' }: PageFields): string {
  return pageForm({
    action: '/reset',
    hidden: { token },
    fields: [ownAddress(email), chosenPassword('New password')],
    button: 'Set new password',
  });
}
