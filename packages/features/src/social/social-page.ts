import { ERRORS } from '@gatehouse/auth-core';
import type { Page } from '@gatehouse/http/pages/html-page';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { loginProcedures, sessionProcedures } from '../authentication/authentication-procedures.js';
import type { Context } from '../core/context.js';
import { t } from '../core/context.js';
import { SOCIAL_PROVIDERS } from '../core/social-providers/social-providers.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import { findConfiguredProvider } from './configured-provider.js';
import { socialProcedures } from './social-procedures.js';

const call = t.createCallerFactory(
  t.router({
    connect: socialProcedures.connect,
    finish: socialProcedures.finish,
    me: sessionProcedures.me,
    signIn: loginProcedures.web,
  }),
);

const word = z.string().optional();
const TITLE = 'Sign in with a provider';

/** The end of social flows without a front end: buttons do what a front end's code would do. */
export const socialPage = {
  get: {
    summary: 'Shows how a social flow ended, or where one can begin',
    about: pageAbout({
      tag: 'pages',
      description: 'How the flow ended, or the providers',
      query: z.object({ user: word, connected: word, code: word, provider: word, error: word }),
      refuses: ['not_found'],
    }),
    handle: ownPage(async ({ ctx }, fields) => Promise.resolve(shown(ctx, fields)), refused),
  },
  post: {
    summary: 'Exchanges what a social flow ended with',
    about: pageAbout({
      tag: 'pages',
      description: 'Who is signed in, or where to go on',
      form: z.object({ user: word, code: word, provider: word, session: word }),
      shows: [
        'invalid_input',
        'unauthorized',
        'invalid_token',
        'not_found',
        'connection_taken',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(exchanged, refused),
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

function shown({ services }: Context, { user, connected, code, provider = '', error }: PageFields): Page {
  if (user !== undefined) {
    const lead = '<p>The provider confirmed your identity. This works once.</p>';
    const name = SOCIAL_PROVIDERS.find(({ key }) => key === connected)?.name;
    const joined = name === undefined ? '' : `<p>${name} is now connected to your account.</p>`;
    return { title: TITLE, body: form({ user }, 'Continue', lead + joined) };
  }
  if (code !== undefined) {
    const lead = `<p>You can connect your ${escapeHtml(provider)} account in the session where you started.</p>`;
    return { title: 'Connect a provider', body: form({ code }, 'Connect', lead + sessionField()) };
  }
  const offered = SOCIAL_PROVIDERS.filter((each) => findConfiguredProvider(services.config, each));
  const links = offered.map(({ key, name }) => `<li><a href="/social/${key}">Sign in with ${name}</a></li>`);
  const reason = error === undefined ? '' : problem(messageOf(error));
  return { title: TITLE, body: `${reason}<ul>${links.join('')}</ul>` };
}

async function exchanged({ ctx }: { ctx: Context }, fields: PageFields): Promise<Page> {
  const { user, code, provider, session = '' } = fields;
  if (user !== undefined) return signedIn(ctx, user);
  const caller = call(withSession(ctx, session));
  if (code !== undefined) {
    const { data } = await caller.finish({ code });
    const whose = escapeHtml(data.displayName ?? 'Your provider');
    return { title: 'Connected', body: `<p>${whose} can now be used to sign in.</p>` };
  }
  const { url } = await caller.connect({ provider: provider ?? '' });
  return { title: 'Connect a provider', body: `<p><a href="${escapeHtml(url)}">Go to the provider</a></p>` };
}

async function signedIn(ctx: Context, user: string): Promise<Page> {
  const { token } = await call(ctx).signIn({ social: true, token: user });
  const { member } = await call(withSession(ctx, token)).me();
  const others = SOCIAL_PROVIDERS.filter((each) => findConfiguredProvider(ctx.services.config, each));
  const body = [
    `<p>You are <strong id="username">${escapeHtml(member.username)}</strong>, member ${member.id}.</p>`,
    '<label for="session">Your session token, which a front end keeps for you</label>',
    `<textarea id="session" readonly rows="4" cols="50">${escapeHtml(token)}</textarea>`,
    '<h2>Connect another provider</h2>',
    ...others.map(({ key, name }) => form({ session: token, provider: key }, name, '')),
  ];
  return { title: 'You are signed in', body: body.join('\n') };
}

function refused({ message }: Refusal): Page {
  return { title: TITLE, body: `${problem(message)}<p><a href="/socialAuth">Start again</a></p>` };
}

/** The sentence for one of our codes; other text is not shown. */
function messageOf(code: string): string {
  const known = Object.entries(ERRORS).find(([name]) => name === code);
  return (known?.[1] ?? ERRORS.internal).message;
}

/** The same call, with a session passed to the page. */
function withSession(ctx: Context, session: string): Context {
  const { headerName } = ctx.services.tokens;
  const header = (name: string) => (name === headerName ? session : ctx.call.header(name));
  return { ...ctx, call: { ...ctx.call, header } };
}

function form(hidden: Readonly<Record<string, string>>, label: string, lead: string): string {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="/socialAuth">${lead}${fields.join('')}<button type="submit">${escapeHtml(label)}</button></form>`;
}

function sessionField(): string {
  return '<label for="session">Your session token</label><input id="session" name="session" autocomplete="off" required>';
}
