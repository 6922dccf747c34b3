import { AppError } from '@gatehouse/auth-core';
import type { Page } from '@gatehouse/http/pages/html-page';
import { ADDRESS_ATTRIBUTES, escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import { send } from '@gatehouse/http/rest/reply';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { t } from '../core/context.js';
import { ownPage, type PageFields, problem, type Refusal } from '../pages/own-page.js';
import type { PageWords } from '../pages/page-words.js';
import { requestSignInEmail, requireEmailSignIn, signInByEmail } from './email-sign-in.js';
import { takeStep } from './second-step.js';

const LIFE_SECONDS = 900;

/** Keeps the flow of the page that signs in by mail, only for requests that begin on our own pages. */
export function keepFlow({ config }: Pick<Services, 'config'>, flow: string): string {
  return cookie(config.BASE_URL, flow, LIFE_SECONDS);
}

/** The Set-Cookie header that removes the flow. */
function forgetFlow({ config }: Pick<Services, 'config'>): string {
  return cookie(config.BASE_URL, '', 0);
}

/** The flow in a Cookie header; empty without one. */
function keptFlow({ config }: Pick<Services, 'config'>, header = ''): string {
  const start = `${nameFor(config.BASE_URL)}=`;
  const pair = header.split(';').find((each) => each.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** The `__Host-` prefix (RFC 6265bis) prevents neighbouring hosts from setting the cookie. */
function nameFor(baseUrl: string): string {
  return `${isSecure(baseUrl) ? '__Host-' : ''}gatehouse-sign-in`;
}

function cookie(baseUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', ...(isSecure(baseUrl) ? ['Secure'] : [])];
  return [`${nameFor(baseUrl)}=${value}`, `Max-Age=${maxAgeSeconds}`, ...attributes].join('; ');
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

const call = t.createCallerFactory(
  t.router({ requestEmail: requestSignInEmail, email: signInByEmail, step: takeStep }),
);

const TITLE = 'Sign in with an email code';
const word = z.string().optional();

/**
 * The page that asks for a mail, accepts its code, and is the target of its link. The part of the link after the hash never
 * reaches a server by itself: our script puts it into a form, and a button sends it. With the code everything works without
 * scripts.
 */
export const signInPage = {
  get: {
    summary: 'A form to sign in by mail, and the end of the link in that mail',
    about: pageAbout({ tag: 'pages', description: 'The forms', refuses: ['not_found'] }),
    handle: ownPage(async ({ ctx }, _fields, words) => {
      requireEmailSignIn(ctx);
      const body = `${linkForm(words)}${addressForm('', words)}`;
      return Promise.resolve({ title: words.say(TITLE), body, script: SCRIPT_PATH });
    }, refused),
  },
  post: {
    summary: 'Asks for the mail, or signs in with what it has',
    about: pageAbout({
      tag: 'pages',
      description: 'Where to type the code, or who is signed in',
      form: z.object({
        email: word,
        code: word,
        token: word,
        challenge: word,
        totp: word,
        backupCode: word,
      }),
      shows: [
        'invalid_input',
        'invalid_credentials',
        'second_factor_required',
        'invalid_challenge',
        'role_not_allowed',
        'rate_limited',
        'unavailable',
      ],
      refuses: ['not_found'],
    }),
    handle: ownPage(answered, refused),
  },
  script: {
    summary: 'The script of that page, which reads the link',
    about: {
      tag: 'pages',
      answers: { 200: { description: 'The script', content: { 'text/javascript': z.string() } } },
      refuses: [],
    },
    handle: ({ response }) => {
      send(response, 200, 'text/javascript; charset=utf-8', SCRIPT);
    },
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

const SCRIPT_PATH = '/signIn.js';
const SCRIPT = `const token = new URLSearchParams(location.hash.slice(1).replace(/[?#]/g, '&')).get('email');
const form = document.querySelector('#link');
if (token && form) {
  history.replaceState(null, '', location.pathname);
  form.elements.namedItem('token').value = token;
  form.hidden = false;
}
`;

async function answered(
  { ctx, request, response }: RawExchange<Context>,
  fields: PageFields,
  words: PageWords,
): Promise<Page> {
  requireEmailSignIn(ctx);
  const { services } = ctx;
  const { email: address, code, token, challenge } = fields;
  const flow = keptFlow(services, request.headers.cookie);
  if (challenge !== undefined) return stepped(ctx, { ...fields, challenge }, words);
  if (code !== undefined || token !== undefined) {
    const sent = code === undefined ? { flow, token: token ?? '' } : { flow, code };
    try {
      const { data } = await call(ctx).email(sent);
      response.setHeader('Set-Cookie', forgetFlow(services));
      return signedIn(data, words);
    } catch (error) {
      if (!(error instanceof AppError) || error.step === undefined) throw error;
      response.setHeader('Set-Cookie', forgetFlow(services));
      return stepForm(error.step.challenge, words);
    }
  }
  const { message, data } = await call(ctx).requestEmail({ email: (address ?? '').trim(), flow });
  response.setHeader('Set-Cookie', keepFlow(services, data.flow));
  const body = `<p>${escapeHtml(words.told(message))}.</p>${codeForm(words)}`;
  return { title: words.say('Check your email'), body };
}

async function stepped(
  ctx: Context,
  fields: PageFields & { readonly challenge: string },
  words: PageWords,
): Promise<Page> {
  const { challenge, totp = '', backupCode = '' } = fields;
  const { data } = await call(ctx).step({ challenge, ...(totp === '' ? { backupCode } : { code: totp }) });
  return signedIn(data, words);
}

function signedIn(
  { token, userId }: { token?: string | undefined; userId: number },
  { say }: PageWords,
): Page {
  const body = [
    `<p>${say('You are member {id}.', { id: String(userId) })}</p>`,
    `<label for="session">${say('Your session token, which a front end keeps for you')}</label>`,
    `<textarea id="session" readonly rows="4" cols="50">${escapeHtml(token ?? '')}</textarea>`,
  ];
  return { title: say('You are signed in'), body: body.join('\n') };
}

function stepForm(challenge: string, { say }: PageWords, reason = ''): Page {
  const body = [
    reason,
    '<form method="post" action="/signIn">',
    `<input type="hidden" name="challenge" value="${escapeHtml(challenge)}">`,
    `<label for="totp">${say('6-digit code from your authenticator app')}</label>`,
    '<input id="totp" name="totp" inputmode="numeric" autocomplete="one-time-code">',
    `<label for="backupCode">${say('Or a backup code')}</label>`,
    '<input id="backupCode" name="backupCode" autocomplete="off">',
    `<button type="submit">${say('Sign in')}</button>`,
    '</form>',
  ];
  return { title: say('One more step'), body: body.join('\n') };
}

function refused({ code, message }: Refusal, fields: PageFields, words: PageWords): Page {
  const { say } = words;
  const title = say(TITLE);
  if (code === 'not_found') return { title, body: problem(message) };
  if (fields['challenge'] !== undefined && code === 'invalid_credentials')
    return stepForm(fields['challenge'], words, problem(message));
  const isCode = fields['code'] !== undefined || fields['token'] !== undefined;
  if (isCode && code === 'invalid_challenge') {
    const hint = say('Open this link in the browser where you requested it, or request a new code here.');
    return { title, body: `${problem(message)}<p>${hint}</p>${addressForm('', words)}` };
  }
  if (isCode) return { title, body: `${problem(message)}${codeForm(words)}${addressForm('', words)}` };
  return { title, body: `${problem(message)}${addressForm(fields['email'] ?? '', words)}` };
}

function linkForm({ say }: PageWords): string {
  return [
    '<form method="post" action="/signIn" id="link" hidden>',
    `<p>${say('You opened the link from our email.')}</p>`,
    '<input type="hidden" name="token" value="">',
    `<button type="submit">${say('Sign in')}</button>`,
    '</form>',
  ].join('\n');
}

/** The form for the code of the mail that was sent to this browser's flow. */
export function codeForm({ say }: PageWords): string {
  return [
    '<form method="post" action="/signIn">',
    `<label for="code">${say('8-digit code')}</label>`,
    '<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required>',
    `<button type="submit">${say('Sign in')}</button>`,
    '</form>',
  ].join('\n');
}

function addressForm(address: string, { say }: PageWords): string {
  return [
    '<form method="post" action="/signIn">',
    `<label for="email">${say('Email address')}</label>`,
    `<input id="email" name="email" ${ADDRESS_ATTRIBUTES} autocomplete="username" required value="${escapeHtml(address)}">`,
    `<button type="submit">${say('Email me a code')}</button>`,
    '</form>',
  ].join('\n');
}
