import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { type Context, t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { chosenPassword, ownAddress, pageForm } from '../pages/page-form.js';
import type { PageWords } from '../pages/page-words.js';
import { findReset, reset } from './reset-password.js';

const call = t.createCallerFactory(t.router({ reset }));
const TITLE = 'Set a new password';

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
    handle: ownPage(async ({ ctx }, { token = '' }, words) => {
      const { email } = await findReset(ctx.services, token);
      return { title: words.say(TITLE), body: form({ token, email }, words) };
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
    handle: ownPage(async ({ ctx }, { token = '', password = '' }, { say }) => {
      const { console: url } = await call(ctx).reset({ token, password });
      const lead = `<p>${say("You've been signed out on all devices. Sign in with your new password.")}</p>`;
      const link =
        url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${say('Sign in to the console')}</a></p>`;
      return { title: say('Your password has been changed'), body: lead + link };
    }, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function refused({ code, message, issues }: Refusal, fields: PageFields, words: PageWords) {
  const { say, issue } = words;
  const title = say(TITLE);
  if (code === 'invalid_input') {
    const reasons = issues
      .filter(({ path }) => path === 'password')
      .map((found) => issue(found.message, `The password ${found.message}.`));
    return { title, body: `${problem(...(reasons.length > 0 ? reasons : [message]))}${form(fields, words)}` };
  }
  if (code === 'invalid_token') {
    const body = `${problem(message)}<p><a href="/forgot">${say('Request a new link')}</a>. ${say('Each link works once and expires after 30 minutes.')}</p>`;
    return { title, body };
  }
  if (code === 'sso_required') return { title, body: problem(message) };
  return { title, body: `${problem(message)}${form(fields, words)}` };
}

function form({ token = '', email = '' }: PageFields, words: PageWords): string {
  return pageForm({
    action: '/reset',
    hidden: { token },
    fields: [ownAddress(words, email), chosenPassword(words, 'New password')],
    button: words.say('Set new password'),
  });
}
