import { type ApplicationRow, findClient } from '@gatehouse/db/queries/applications';
import { escapeHtml, type Page, pageAbout } from '@gatehouse/http/pages/html-page';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { countPoint } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type { default as OidcProvider } from 'oidc-provider';
import { z } from 'zod';
import { visitorLocale } from '../../core/accepted-locale.js';
import type { Context } from '../../core/context.js';
import { isolated } from '../../pages/isolated.js';
import { problem, requireOwnForm } from '../../pages/own-page.js';
import { sendProductPage } from '../../pages/product-page.js';
import {
  type Asking,
  agreedIn,
  choiceFields,
  inRow,
  lastsText,
  readQuestion,
  type SentAnswer,
  stepUpLinks,
  wantsList,
} from './consent-question.js';
import { CONSENT_WORDS, type ConsentWords } from './consent-words.js';
import { recordConsent, saveGrant } from './consented-grant.js';
import { DEVICE_WORDS } from './device-words.js';
import { unlessOver } from './interaction-page.js';
import { leadToSignIn, withSignInFirst } from './lead-to-sign-in.js';
import { openProvider } from './open-provider.js';
import { authenticatedAtMs, findVisitor, sessionUid, type Visitor } from './visitor.js';
import { sessionFacts, sidOf } from './with-own-sessions.js';

type Exchange = RawExchange<Context>;

type DeviceCode = NonNullable<Awaited<ReturnType<OidcProvider['DeviceCode']['findByUserCode']>>>;

/** The maximum number of wrong codes from one address per hour. */
const WRONG_CODES = { most: 50, windowMs: 3_600_000 };

const form = z.object({
  user_code: z.string().max(64),
  account: z.string().optional(),
  /** What the person lets the application do in the account. */
  scopes: z.union([z.string(), z.array(z.string())]).default([]),
  /** What the person decided; the page asks them first. */
  decision: z.enum(['allow', 'cancel']).optional(),
});

/** A person at the page, in their language. */
interface Visit {
  readonly visitor: Visitor;
  readonly language: 'en' | 'de';
  readonly words: ConsentWords & (typeof DEVICE_WORDS)['en'];
}

/** A device that waits, and the application on it. */
interface Waiting {
  readonly device: DeviceCode;
  readonly application: ApplicationRow;
}

/**
 * The page on which a person enters the code that a device shows, and lets the application on it in (RFC 8628, section 3.3). It names
 * the application and asks before anything happens. It works without scripts.
 */
export const devicePage = {
  show: {
    summary: 'The page that asks for the code that a device shows',
    about: withSignInFirst(
      pageAbout({
        tag: 'oauth',
        description: 'The page',
        query: z.object({ user_code: z.string().optional() }),
        refuses: [],
      }),
    ),
    handle: show,
  },
  decide: {
    summary: 'Asks whether a device may come in, and lets it in',
    about: withSignInFirst(
      pageAbout({
        tag: 'oauth',
        description: 'The page that asks, or says what was decided',
        form,
        shows: ['rate_limited'],
        refuses: ['unauthorized'],
      }),
    ),
    handle: decide,
  },
} as const satisfies Record<string, RawEndpoint<Context>>;

async function show(exchange: Exchange): Promise<void> {
  const userCode = normal(exchange.query.get('user_code') ?? '');
  const visit = await requireVisit(exchange, userCode);
  if (visit !== undefined) sendProductPage(exchange.ctx, exchange.response, codePage(visit, userCode));
}

async function decide(exchange: Exchange): Promise<void> {
  const { ctx, request, response } = exchange;
  const { services } = ctx;
  requireOwnForm(request, new URL(services.config.BASE_URL).origin);
  const fields = form.parse(await bodyFields(request, response, { form: true }));
  const userCode = normal(fields.user_code);
  const visit = await requireVisit(exchange, userCode);
  if (visit === undefined) return;
  const wrongCodes = { ...WRONG_CODES, key: `oauth-user-codes:address:${networkOf(ctx.call.address)}` };
  const refusal = await countPoint(services, wrongCodes);
  if (refusal !== undefined) {
    response.setHeader('Retry-After', refusal.retryAfterSeconds ?? 1);
    return sendProductPage(ctx, response, { ...codePage(visit, userCode, visit.words.tooMany), status: 429 });
  }
  const waiting = await findWaiting(ctx, userCode);
  if (waiting === undefined)
    return sendProductPage(ctx, response, codePage(visit, userCode, visit.words.wrong));
  await services.limits.refund([wrongCodes]);
  if (isTooOld(visit.visitor, waiting, services.now())) return askAgain(exchange, userCode, visit);
  if (fields.decision === undefined)
    return sendProductPage(ctx, response, await askingPage(ctx, visit, waiting));
  const page = fields.decision === 'allow' ? letIn : turnAway;
  const sent = { account: fields.account, scopes: [fields.scopes].flat() };
  sendProductPage(ctx, response, await page(ctx, { visit, waiting, sent }));
}

/** The code without characters that people add to it. */
const normal = (userCode: string) => userCode.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');

const shown = (userCode: string) => `${userCode.slice(0, 4)}-${userCode.slice(4)}`;

const isCode = (userCode: string) => /^[A-Z]{8}$/.test(userCode);

/** The person at the page. Undefined if they are led to sign in first. */
async function requireVisit(exchange: Exchange, userCode: string): Promise<Visit | undefined> {
  const { ctx } = exchange;
  const language = visitorLocale(ctx.call);
  const words = { ...CONSENT_WORDS[language], ...DEVICE_WORDS[language] };
  const visitor = await findVisitor(ctx, ctx.services.access);
  if (visitor !== undefined) return { visitor, language, words };
  await leadToSignIn(exchange, { next: addressOf(userCode), isSignedIn: false, words, language });
  return undefined;
}

function askAgain(exchange: Exchange, userCode: string, { words, language }: Visit): Promise<void> {
  return leadToSignIn(exchange, { next: addressOf(userCode), isSignedIn: true, words, language });
}

const addressOf = (userCode: string) => (isCode(userCode) ? `/device?user_code=${userCode}` : '/device');

/** The device that shows a code, unless somebody has decided or the time is over. */
async function findWaiting({ services }: Context, userCode: string): Promise<Waiting | undefined> {
  if (!isCode(userCode)) return undefined;
  const { provider } = await openProvider(services);
  const device = await provider.DeviceCode.findByUserCode(userCode);
  const application = device && (await findClient(services.db, String(device.clientId)));
  return device === undefined || application?.active !== true ? undefined : { device, application };
}

/** Whether the application asks for a more recent sign-in (OpenID Connect Core, section 3.1.2.1). */
function isTooOld({ session }: Visitor, { device }: Waiting, nowMs: number): boolean {
  const { params, deviceInfo, iat } = device;
  const maxAge = deviceInfo?.['signInAnew'] === true ? 0 : params?.['max_age'];
  if (maxAge === undefined) return false;
  const signedInAtMs = authenticatedAtMs(session);
  // The moment of the request is known to the second.
  return signedInAtMs < (iat + 1) * 1000 && signedInAtMs < nowMs - Number(maxAge) * 1000;
}

function codePage({ language, words }: Visit, userCode: string, wrong?: string): Page {
  const value = isCode(userCode) ? shown(userCode) : '';
  const body = [
    wrong === undefined ? '' : problem(wrong),
    `<p>${words.enterLead}</p>`,
    '<form method="post" action="/device">',
    `<label for="user_code">${words.code}</label>`,
    `<input id="user_code" name="user_code" value="${value}" required maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false"${wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"'}>`,
    `<button type="submit">${words.go}</button>`,
    '</form>',
  ];
  return {
    title: words.enter,
    language,
    body: body.join('\n'),
    ...(wrong === undefined ? {} : { status: 400 }),
  };
}

const askingOf = (visit: Visit, { device, application }: Waiting): Asking => ({
  ...visit,
  application,
  params: device.params ?? {},
  here: addressOf(device.userCode),
});

async function askingPage(
  ctx: Context,
  visit: Visit,
  waiting: Waiting,
  { wrong, ...sent }: SentAnswer & { readonly wrong?: string } = {},
): Promise<Page> {
  const { device, application } = waiting;
  const { language, words } = visit;
  const asking = askingOf(visit, waiting);
  const question = await readQuestion(ctx, asking);
  const { lead, refusal } = question;
  const links = stepUpLinks(ctx.services, question, asking);
  const code = `<input type="hidden" name="user_code" value="${escapeHtml(device.userCode)}">`;
  const abort = `<form id="cancel" method="post" action="/device">${code}</form>`;
  const cancel = `<button type="submit" form="cancel" name="decision" value="cancel" class="quiet">${words.cancel}</button>`;
  const common = { title: words.title(isolated(application.name)), language };
  if (refusal !== undefined)
    return { ...common, status: 403, body: `${problem(refusal)}${lead}${links}${abort}${inRow(cancel)}` };
  const body = [
    wrong === undefined ? '' : problem(wrong),
    lead,
    wantsList(question, asking),
    `<p>${lastsText(question, asking)}</p>`,
    `<p>${words.onlyYours} <strong>${shown(device.userCode)}</strong></p>`,
    `<p>${words.notSent}</p>`,
    links,
    '<form method="post" action="/device">',
    code,
    choiceFields(ctx.services, question, asking, sent),
    inRow(`<button type="submit" name="decision" value="allow">${words.allow}</button>`, cancel),
    '</form>',
    abort,
  ];
  return { ...common, body: body.join('\n'), ...(wrong === undefined ? {} : { status: 400 }) };
}

interface Decided {
  readonly visit: Visit;
  readonly waiting: Waiting;
  readonly sent: SentAnswer;
}

async function letIn(ctx: Context, { visit, waiting, sent }: Decided): Promise<Page> {
  const { services } = ctx;
  const { visitor, language, words } = visit;
  const { device, application } = waiting;
  const asking = askingOf(visit, waiting);
  const { agreed, wrong } = agreedIn(await readQuestion(ctx, asking), asking, sent);
  if (agreed === undefined) return askingPage(ctx, visit, waiting, { ...sent, wrong });
  const { provider } = await openProvider(services);
  const { consentId } = await recordConsent(ctx, { ...agreed, application });
  const given = { ...agreed, application, provider, visitor, nowMs: services.now() };
  const grantId = await saveGrant(services, { ...given, consentId });
  const { accountId, acr, amr, loginTs: authTime } = sessionFacts(visitor);
  const uid = sessionUid(visitor);
  const sid = sidOf(services.config, { clientId: application.clientId, uid });
  const [resource] = agreed.resources;
  Object.assign(device, {
    accountId,
    acr,
    amr,
    authTime,
    grantId,
    scope: agreed.scopes.join(' '),
    sessionUid: uid,
    sid,
    ...(resource === undefined ? {} : { resource }),
  });
  if ((await unlessOver(() => device.save())) === undefined) return codePage(visit, '', words.wrong);
  return {
    title: words.connected(isolated(application.name)),
    language,
    body: `<p>${words.backToDevice}</p>`,
  };
}

async function turnAway(_: Context, { visit, waiting: { device } }: Decided): Promise<Page> {
  const { language, words } = visit;
  Object.assign(device, { error: 'access_denied', errorDescription: 'The person did not agree' });
  if ((await unlessOver(() => device.save())) === undefined) return codePage(visit, '', words.wrong);
  return { title: words.notConnected, language, body: `<p>${words.close}</p>` };
}
