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
import type { PageWords } from '../pages/page-words.js';
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
    handle: ownPage(async ({ ctx }, fields, words) => Promise.resolve(shown(ctx, fields, words)), refused),
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

function shown(
  { services }: Context,
  { user, connected, code, provider, error }: PageFields,
  { say, told }: PageWords,
): Page {
  if (user !== undefined) {
    const lead = `<p>${say('The provider confirmed your identity. This works once.')}</p>`;
    const name = nameOf(connected);
    const joined =
      name === undefined
        ? ''
        : `<p>${say('{provider} is now connected to your account.', { provider: name })}</p>`;
    return { title: say(TITLE), body: form({ user }, say('Continue'), lead + joined) };
  }
  if (code !== undefined) {
    const name = nameOf(provider);
    const lead =
      name === undefined
        ? ''
        : `<p>${say('You can connect your {provider} account in the session where you started.', { provider: name })}</p>`;
    const field = sessionField(say('Your session token'));
    return { title: say('Connect a provider'), body: form({ code }, say('Connect'), lead + field) };
  }
  const offered = SOCIAL_PROVIDERS.filter((each) => findConfiguredProvider(services.config, each));
  const links = offered.map(
    ({ key, name }) =>
      `<li><a href="/social/${key}">${say('Sign in with {provider}', { provider: name })}</a></li>`,
  );
  const reason = error === undefined ? '' : problem(told(messageOf(error)));
  return { title: say(TITLE), body: `${reason}<ul>${links.join('')}</ul>` };
}

async function exchanged({ ctx }: { ctx: Context }, fields: PageFields, words: PageWords): Promise<Page> {
  const { say } = words;
  const { user, code, provider, session = '' } = fields;
  if (user !== undefined) return signedIn(ctx, user, words);
  const caller = call(withSession(ctx, session));
  if (code !== undefined) {
    const { data } = await caller.finish({ code });
    const whose = escapeHtml(data.displayName ?? say('Your provider'));
    const body = `<p>${say('{name} can now be used to sign in.', { name: whose })}</p>`;
    return { title: say('Connected'), body };
  }
  const { url } = await caller.connect({ provider: provider ?? '' });
  const body = `<p><a href="${escapeHtml(url)}">${say('Go to the provider')}</a></p>`;
  return { title: say('Connect a provider'), body };
}

async function signedIn(ctx: Context, user: string, { say }: PageWords): Promise<Page> {
  const { token } = await call(ctx).signIn({ social: true, token: user });
  const { member } = await call(withSession(ctx, token)).me();
  const others = SOCIAL_PROVIDERS.filter((each) => findConfiguredProvider(ctx.services.config, each));
  const body = [
    `<p>${say('You are {username}, member {id}.', {
      username: `<strong id="username">${escapeHtml(member.username)}</strong>`,
      id: String(member.id),
    })}</p>`,
    `<label for="session">${say('Your session token, which a front end keeps for you')}</label>`,
    `<textarea id="session" readonly rows="4" cols="50">${escapeHtml(token)}</textarea>`,
    `<h2>${say('Connect another provider')}</h2>`,
    ...others.map(({ key, name }) => form({ session: token, provider: key }, name, '')),
  ];
  return { title: say('You are signed in'), body: body.join('\n') };
}

function refused({ message }: Refusal, _fields: PageFields, { say }: PageWords): Page {
  const body = `${problem(message)}<p><a href="/socialAuth">${say('Start over')}</a></p>`;
  return { title: say(TITLE), body };
}

/** The name of one of our providers; other text is not shown. */
function nameOf(provider: string | undefined): string | undefined {
  return SOCIAL_PROVIDERS.find(({ key }) => key === provider)?.name;
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

function sessionField(label: string): string {
  return `<label for="session">${label}</label><input id="session" name="session" autocomplete="off" required>`;
}
