import { sha256Hex } from '@gatehouse/auth-core';
import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import { escapeHtml, type Page, pageAbout } from '@gatehouse/http/pages/html-page';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import type { Interaction, InteractionResults, default as OidcProvider } from 'oidc-provider';
import { z } from 'zod';
import { visitorLocale } from '../../core/accepted-locale.js';
import type { Context } from '../../core/context.js';
import { clientHost } from '../../core/guard/client-host.js';
import { isolated } from '../../pages/isolated.js';
import { problem, requireOwnForm } from '../../pages/own-page.js';
import { sendProductPage } from '../../pages/product-page.js';
import { findAskingApplication, isRedirectOf } from './client-document.js';
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
import { leadToSignIn, withSignInFirst } from './lead-to-sign-in.js';
import { openProvider } from './open-provider.js';
import { leadingPage } from './provider-context.js';
import { authenticatedAtMs, findVisitor, sessionUid, type Visitor } from './visitor.js';

type Exchange = RawExchange<Context>;

const params = { uid: z.string() };
const form = z.object({
  account: z.string().optional(),
  /** What the person lets the application do in the account. */
  scopes: z.union([z.string(), z.array(z.string())]).default([]),
  /** What the page said of an application that a document describes. */
  shown: z.string().optional(),
});

/** The state of an application's request for a sign-in. */
interface Asked {
  readonly provider: OidcProvider;
  readonly interaction: Interaction;
  readonly application: ApplicationRow;
  readonly visitor: Visitor | undefined;
  readonly language: 'en' | 'de';
  readonly words: ConsentWords;
}

/**
 * The page that asks a person whether an application may have what it asks for. It sends them to sign in first, or again where the
 * application asks for that. It works without scripts.
 */
export const interactionPage = {
  show: {
    summary: 'The page that asks whether an application may have what it asks for',
    about: interactionAbout({ description: 'The page', refuses: [] }),
    handle: (exchange) => answering(exchange, show),
  },
  agree: {
    summary: 'Lets an application have what it asks for, and returns to it',
    about: interactionAbout({
      description: 'A page that leads back to the application',
      form,
      refuses: ['unauthorized'],
    }),
    handle: (exchange) => answering(exchange, agree),
  },
  cancel: {
    summary: 'Returns to an application without giving it anything',
    about: interactionAbout({
      description: 'A page that leads back to the application, with `access_denied`',
      form: z.object({}),
      refuses: [],
    }),
    handle: (exchange) => answering(exchange, cancel),
  },
} as const satisfies Record<string, RawEndpoint<Context>>;

/** An address or cookie that names no request gets a page with 400. */
function interactionAbout(page: Pick<Parameters<typeof pageAbout>[0], 'description' | 'form' | 'refuses'>) {
  return withSignInFirst(pageAbout({ tag: 'oauth', params, shows: ['invalid_input'], ...page }));
}

/** Answers with the request that an address and its cookie name, or says that it has expired. */
async function answering(
  exchange: Exchange,
  answer: (exchange: Exchange, asked: Asked) => Promise<void>,
): Promise<void> {
  const { ctx, request } = exchange;
  const { services } = ctx;
  if (request.method === 'POST') requireOwnForm(request, new URL(services.config.BASE_URL).origin);
  const language = visitorLocale(ctx.call);
  const words = CONSENT_WORDS[language];
  const { provider } = await openProvider(services);
  const interaction = await findInteraction(provider, exchange);
  const application =
    interaction && (await findAskingApplication(ctx, String(interaction.params['client_id'])));
  // Its document may name other addresses than when the request began.
  const isGone =
    application?.type === 'document' &&
    !isRedirectOf(application, String(interaction?.params['redirect_uri']));
  if (interaction === undefined || application === undefined || isGone)
    return sendOver(exchange, { language, words });
  const visitor = await findVisitor(ctx, services.access);
  await answer(exchange, { provider, interaction, application, visitor, language, words });
}

function sendOver({ ctx, response }: Exchange, { language, words }: Pick<Asked, 'language' | 'words'>): void {
  sendProductPage(ctx, response, {
    status: 400,
    title: words.over,
    body: `<p>${words.startAgain}</p>`,
    language,
  });
}

async function findInteraction(provider: OidcProvider, { request, response, params: { uid } }: Exchange) {
  const interaction = await unlessOver(() => provider.interactionDetails(request, response));
  return interaction?.uid === uid ? interaction : undefined;
}

/** Undefined if the cookie or the row of a request is gone. */
export async function unlessOver<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}

async function show(exchange: Exchange, asked: Asked): Promise<void> {
  const { interaction, visitor } = asked;
  const { ctx, response } = exchange;
  if (visitor === undefined) return leadHereAfterSignIn(exchange, asked);
  if (interaction.prompt.name !== 'login') {
    if (interaction.session?.accountId !== String(visitor.memberId))
      return leadHereAfterSignIn(exchange, asked);
    sendProductPage(ctx, response, await consentPage(exchange, { ...asked, visitor }));
    return;
  }
  const isAskedAnew = ['max_age', 'login_prompt'].some((reason) =>
    interaction.prompt.reasons.includes(reason),
  );
  if (isAskedAnew && !isSignedInAnew(visitor, interaction)) return leadHereAfterSignIn(exchange, asked);
  if (interaction.session !== undefined) {
    // They may have signed in again meanwhile, in another session.
    delete interaction.session;
    await interaction.persist();
  }
  const login = { accountId: String(visitor.memberId) };
  await finish(exchange, asked, { login }, { mergeWithLastSubmission: false });
}

/** Whether a visitor has signed in since the request began. Its moment is known to the second; within it, only another session is new. */
function isSignedInAnew(visitor: Visitor, { iat, session }: Interaction): boolean {
  const signedInAtMs = authenticatedAtMs(visitor.session);
  if (signedInAtMs >= (iat + 1) * 1000) return true;
  return signedInAtMs >= iat * 1000 && session?.uid !== sessionUid(visitor);
}

/**
 * Continues the request of the application through a page, because browsers apply a page's policy to the answers to its forms.
 */
async function finish(
  exchange: Exchange,
  { provider, language, words }: Asked,
  result: InteractionResults,
  options?: { readonly mergeWithLastSubmission: boolean },
): Promise<void> {
  const { ctx, request, response } = exchange;
  const to = await unlessOver(() => provider.interactionResult(request, response, result, options));
  if (to === undefined) return sendOver(exchange, { language, words });
  if (request.method === 'POST') {
    response.setHeader('Refresh', `0;url=${to}`);
    sendProductPage(ctx, response, leadingPage(to, language));
    return;
  }
  response.statusCode = 303;
  response.setHeader('Location', to);
  response.end();
}

/** Leads to sign in, and back here afterwards. */
function leadHereAfterSignIn(
  exchange: Exchange,
  { visitor, words, language }: Pick<Asked, 'visitor' | 'words' | 'language'>,
): Promise<void> {
  const next = `/interaction/${exchange.params['uid'] ?? ''}`;
  return leadToSignIn(exchange, { next, isSignedIn: visitor !== undefined, words, language });
}

/** Where a visitor returns to, by the redirect URI. */
function placeOf(uri: string, words: ConsentWords): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' ? words.leadsTo(host) : words.onDevice;
}

type AskedOf = Asked & { readonly visitor: Visitor };

const askingOf = ({ interaction, ...asked }: AskedOf): Asking => ({
  ...asked,
  params: interaction.params,
  here: `/interaction/${encodeURIComponent(interaction.uid)}`,
});

async function consentPage(
  { ctx }: Exchange,
  asked: AskedOf,
  { wrong, ...sent }: SentAnswer & { readonly wrong?: string } = {},
): Promise<Page> {
  const { application, interaction, language, words } = asked;
  const asking = askingOf(asked);
  const question = await readQuestion(ctx, asking);
  const { lead, refusal } = question;
  const { here } = asking;
  const links = stepUpLinks(ctx.services, question, asking);
  const abort = `<form id="cancel" method="post" action="${here}/abort"></form>`;
  const cancel = `<button type="submit" form="cancel" class="quiet">${words.cancel}</button>`;
  const common = { title: words.title(isolated(application.name)), language };
  if (refusal !== undefined)
    return { ...common, status: 403, body: `${problem(refusal)}${lead}${links}${abort}${inRow(cancel)}` };
  const isUnchecked = clientHost(application.clientId) !== undefined;
  const place = placeOf(String(interaction.params['redirect_uri']), words);
  const body = [
    wrong === undefined ? '' : problem(wrong),
    lead,
    wantsList(question, asking),
    `<p>${escapeHtml(place)} ${lastsText(question, asking)}</p>`,
    links,
    `<form method="post" action="${here}">`,
    isUnchecked ? `<input type="hidden" name="shown" value="${shownOf(application)}">` : '',
    choiceFields(ctx.services, question, asking, sent),
    inRow(`<button type="submit">${words.allow}</button>`, cancel),
    '</form>',
    abort,
  ];
  return { ...common, ...(wrong === undefined ? {} : { status: 400 }), body: body.join('\n') };
}

/** What a document says of an application. */
function shownOf({ name, redirectUris }: ApplicationRow): string {
  return sha256Hex(JSON.stringify([name, redirectUris]));
}

async function agree(exchange: Exchange, asked: Asked): Promise<void> {
  const { ctx, request, response } = exchange;
  const { application, interaction, provider, visitor, words } = asked;
  const { services } = ctx;
  const fields = form.parse(await bodyFields(request, response, { form: true }));
  const isTheirs = visitor !== undefined && interaction.session?.accountId === String(visitor.memberId);
  if (!isTheirs) return leadHereAfterSignIn(exchange, asked);
  if (interaction.prompt.name === 'login') return show(exchange, asked);
  const theirs = { ...asked, visitor };
  const sent = { account: fields.account, scopes: [fields.scopes].flat() };
  // Its document may say something else by now.
  const isOther = clientHost(application.clientId) !== undefined && fields.shown !== shownOf(application);
  const asking = askingOf(theirs);
  const answer = agreedIn(await readQuestion(ctx, asking), asking, sent);
  if (isOther || answer.agreed === undefined) {
    const again = isOther ? { wrong: words.changed } : { ...sent, ...answer };
    sendProductPage(ctx, response, await consentPage(exchange, theirs, again));
    return;
  }
  if (interaction.session?.uid !== sessionUid(visitor)) {
    // They have signed in again since the application asked.
    delete interaction.session;
    await interaction.persist();
  }
  const { agreed } = answer;
  const { consentId, applicationId } = await recordConsent(ctx, { ...agreed, application });
  const consented = { ...agreed, application: { ...application, id: applicationId }, consentId };
  const given = { ...consented, provider, visitor, nowMs: services.now() };
  const grantId = await saveGrant(services, given);
  await finish(exchange, asked, { select_account: {}, consent: { grantId } });
}

async function cancel(exchange: Exchange, asked: Asked): Promise<void> {
  const denied = { error: 'access_denied', error_description: 'The person did not agree' };
  await finish(exchange, asked, denied, { mergeWithLastSubmission: false });
}
