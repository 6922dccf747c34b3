import type { ServerResponse } from 'node:http';
import { AppError, decideAccess, sha256Hex } from '@gatehouse/auth-core';
import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import type { ResourceRow } from '@gatehouse/db/queries/resources';
import { escapeHtml, type Page, pageAbout, pageAnswer, sendPage } from '@gatehouse/http/pages/html-page';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import type { Interaction, InteractionResults, default as OidcProvider } from 'oidc-provider';
import { z } from 'zod';
import { acceptedLocale } from '../../core/accepted-locale.js';
import type { Context, Services } from '../../core/context.js';
import { clientHost, isBlockedIn } from '../../core/guard/client-host.js';
import { refusalOf } from '../../core/guard/grant-standing.js';
import { levelFacts } from '../../core/guard/level.js';
import { problem, requireOwnForm } from '../../pages/own-page.js';
import { OPENID_SCOPES } from '../application-scopes.js';
import { findAskingApplication, isRedirectOf } from './client-document.js';
import { apiScopesOf } from './client-metadata.js';
import { CONSENT_WORDS, type ConsentWords } from './consent-words.js';
import { actsInAccount, recordConsent, saveGrant } from './consented-grant.js';
import { findAskedResource } from './find-asked-resource.js';
import { leadToSignIn } from './lead-to-sign-in.js';
import { openProvider } from './open-provider.js';
import { isOwnApi } from './own-api.js';
import { leadingPage } from './provider-context.js';
import { authenticatedAtMs, findVisitor, sessionUid, type Visitor } from './visitor.js';

type Exchange = RawExchange<Context>;

/** More accounts than this are not offered. */
const MAX_ACCOUNTS = 250;

const params = { uid: z.string() };
const form = z.object({
  account: z.string().optional(),
  /** What the person lets the application do in the account. */
  scopes: z.union([z.string(), z.array(z.string())]).default([]),
  /** What the page said of an application that a document describes. */
  shown: z.string().optional(),
});

/** Where an application's request for a sign-in stands. */
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
    about: pageAbout({ tag: 'oauth', description: 'The page', params, refuses: [] }),
    handle: (exchange) => answering(exchange, show),
  },
  agree: {
    summary: 'Lets an application have what it asks for, and returns to it',
    about: {
      ...pageAbout({ tag: 'oauth', description: 'The page', params, form, refuses: ['unauthorized'] }),
      answers: { 200: pageAnswer('A page that leads back to the application') },
    },
    handle: (exchange) => answering(exchange, agree),
  },
  cancel: {
    summary: 'Returns to an application without giving it anything',
    about: {
      ...pageAbout({ tag: 'oauth', description: 'The page', params, form: z.object({}), refuses: [] }),
      answers: { 200: pageAnswer('A page that leads back to the application, with `access_denied`') },
    },
    handle: (exchange) => answering(exchange, cancel),
  },
} as const satisfies Record<string, RawEndpoint<Context>>;

/** Answers with the request that an address and its cookie name, or says that it has expired. */
async function answering(
  exchange: Exchange,
  answer: (exchange: Exchange, asked: Asked) => Promise<void>,
): Promise<void> {
  const { ctx, request, response } = exchange;
  const { services } = ctx;
  if (request.method === 'POST') requireOwnForm(request, new URL(services.config.BASE_URL).origin);
  const language = acceptedLocale(ctx.call.header('accept-language'));
  const words = CONSENT_WORDS[language];
  const { provider } = await openProvider(services);
  const interaction = await findInteraction(provider, exchange);
  const application =
    interaction && (await findAskingApplication(ctx, String(interaction.params['client_id'])));
  // Its document may lead elsewhere than when the request began.
  const isGone =
    application?.type === 'document' &&
    !isRedirectOf(application, String(interaction?.params['redirect_uri']));
  if (interaction === undefined || application === undefined || isGone)
    return sendOver(response, { language, words });
  const visitor = await findVisitor(ctx, services.access);
  await answer(exchange, { provider, interaction, application, visitor, language, words });
}

function sendOver(response: ServerResponse, { language, words }: Pick<Asked, 'language' | 'words'>): void {
  sendPage(response, { status: 400, title: words.over, body: `<p>${words.startAgain}</p>`, language });
}

async function findInteraction(provider: OidcProvider, { request, response, params: { uid } }: Exchange) {
  const interaction = await unlessOver(() => provider.interactionDetails(request, response));
  return interaction?.uid === uid ? interaction : undefined;
}

/** Undefined where the cookie or the row of a request is gone. */
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
  const { response } = exchange;
  if (visitor === undefined) return leadHereAfterSignIn(exchange, asked);
  if (interaction.prompt.name !== 'login') {
    if (interaction.session?.accountId !== String(visitor.memberId))
      return leadHereAfterSignIn(exchange, asked);
    sendPage(response, await consentPage(exchange, { ...asked, visitor }));
    return;
  }
  const isAskedAnew = ['max_age', 'login_prompt'].some((reason) =>
    interaction.prompt.reasons.includes(reason),
  );
  const isAnew = authenticatedAtMs(visitor.session) >= interaction.iat * 1000;
  if (isAskedAnew && !isAnew) return leadHereAfterSignIn(exchange, asked);
  if (interaction.session !== undefined) {
    // They may have signed in anew meanwhile, in another session.
    delete interaction.session;
    await interaction.persist();
  }
  const login = { accountId: String(visitor.memberId) };
  await finish(exchange, asked, { login }, { mergeWithLastSubmission: false });
}

/** Goes on with the request of the application: by a page, because browsers hold the answer of a form to the policy of its page. */
async function finish(
  { ctx, request, response }: Exchange,
  { provider, language, words }: Asked,
  result: InteractionResults,
  options?: { readonly mergeWithLastSubmission: boolean },
): Promise<void> {
  const to = await unlessOver(() => provider.interactionResult(request, response, result, options));
  if (to === undefined) return sendOver(response, { language, words });
  if (request.method === 'POST') {
    response.setHeader('Refresh', `0;url=${to}`);
    sendPage(response, leadingPage(to, ctx.call.header('accept-language')));
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

/** The accounts that a visitor can let an application act in, by name. */
export async function offeredAccounts(
  { services }: Context,
  { visitor, application }: { readonly visitor: Visitor; readonly application: ApplicationRow },
  isForAgent: boolean,
): Promise<{ id: number; name: string }[]> {
  const { member, session } = visitor;
  const reached = [...member.memberships.keys()].slice(0, MAX_ACCOUNTS);
  const ids = application.accountId === null ? reached : [application.accountId];
  const accounts = await services.access.accounts(ids);
  const level = levelFacts(services, member, session);
  return ids
    .flatMap((id) => {
      const account = accounts.get(id);
      if (account === undefined || !member.memberships.has(id)) return [];
      if (isForAgent && !account.allowsAgents) return [];
      if (isBlockedIn(account, application.clientId)) return [];
      const { reason } = decideAccess(services.roles, member, { accountId: id, account, level });
      return reason === undefined ? [{ id, name: account.name }] : [];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** What an application asks a person for. */
interface AskedScopes {
  /** What it wants to be told of them. */
  readonly about: readonly string[];
  /** What it wants to do in an account. */
  readonly api: readonly string[];
  /** The resource indicators of the request. */
  readonly resources: readonly string[];
  /** The API of the product that it is for; undefined for this service. */
  readonly resource: ResourceRow | undefined;
}

async function askedScopes({ services }: Context, { interaction, application }: Asked): Promise<AskedScopes> {
  const { scope, resource } = interaction.params;
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  const resources = [resource].flat().filter((each) => typeof each === 'string');
  const [named] = resources;
  const found = named === undefined ? undefined : await findAskedResource(services, named, application);
  const isKnown = named !== undefined && (found !== undefined || isOwnApi(services.config, named));
  const may = isKnown ? apiScopesOf(services, application) : [];
  return {
    about: scopes.filter((each) => OPENID_SCOPES.has(each)),
    api: scopes.filter((each) => may.includes(each)),
    resources,
    resource: found,
  };
}

/** Where a visitor returns to, by the redirect URI. */
function placeOf(uri: string, words: ConsentWords): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' ? words.leadsTo(host) : words.onDevice;
}

/** Refusals for the level of a session. */
export const LEVELS: ReadonlySet<string> = new Set(['enrolment_required', 'verification_required']);

type AskedOf = Asked & { readonly visitor: Visitor };

async function consentPage(
  { ctx, params: { uid = '' } }: Exchange,
  asked: AskedOf,
  sent: {
    readonly wrong?: string;
    readonly account?: string | undefined;
    readonly scopes?: readonly string[];
  } = {},
): Promise<Page> {
  const { application, interaction, language, visitor, words } = asked;
  const { wrong, scopes = [] } = sent;
  const { access, config } = ctx.services;
  const { about, api, resource } = await askedScopes(ctx, asked);
  const isInAccount = actsInAccount([...about, ...api]);
  const accounts = isInAccount ? await offeredAccounts(ctx, asked, api.length > 0) : [];
  const host = clientHost(application.clientId);
  const publisher =
    application.accountId === null
      ? new URL(config.BASE_URL).host
      : words.organization((await access.account(application.accountId))?.name ?? '');
  const { member, session } = visitor;
  const notAdmitted = await refusalOf(ctx.services, { application, member, level: session.level });
  const place = placeOf(String(interaction.params['redirect_uri']), words);
  const profile = await access.profile(visitor.member);
  if (profile === undefined) throw new AppError('unauthorized');
  const here = `/interaction/${encodeURIComponent(uid)}`;
  const refusal =
    notAdmitted !== undefined
      ? words[LEVELS.has(notAdmitted) ? 'higherLevel' : 'onlyMembers'](publisher)
      : isInAccount && accounts.length === 0
        ? words.noAccount
        : undefined;
  const { account = host === undefined ? interaction.params['account'] : undefined } = sent;
  const cancel = `<form method="post" action="${here}/abort"><button type="submit" class="quiet">${words.cancel}</button></form>`;
  // An agent may ask this service who it acts for.
  const learned = new Set([...(api.length > 0 ? [resource === undefined ? 'api' : 'openid'] : []), ...about]);
  const texts = [...learned].flatMap((scope) => {
    const text = words.scopes[scope];
    return text === undefined ? [] : [`<li>${text}</li>`];
  });
  const common = {
    title: words.title(application.name),
    language,
    ...(wrong === undefined && refusal === undefined ? {} : { status: refusal === undefined ? 400 : 403 }),
  };
  const who = words.as(profile.email ?? profile.username);
  const by = host === undefined ? words.by(publisher) : words.unchecked(new URL(application.clientId).host);
  const lead = `<p>${escapeHtml(`${by} ${who}`)}</p>`;
  if (refusal !== undefined) return { ...common, body: `${problem(refusal)}${lead}${cancel}` };
  const body = [
    ...(wrong === undefined ? [] : [problem(wrong)]),
    lead,
    ...(texts.length === 0 ? [] : [`<p>${words.wants}</p>`, `<ul>${texts.join('')}</ul>`]),
    `<p>${escapeHtml(place)} ${about.includes('offline_access') ? words.untilWithdrawn : words.untilSignOut}</p>`,
    `<form method="post" action="${here}">`,
    host === undefined ? '' : `<input type="hidden" name="shown" value="${shownOf(application)}">`,
    isInAccount ? accountChoice(accounts, Number(account), words, { isSuggested: host === undefined }) : '',
    api.length > 0 ? scopeChoice(api, ctx.services, { words, language, scopes, resource }) : '',
    `<button type="submit">${words.allow}</button>`,
    '</form>',
    cancel,
  ];
  return { ...common, body: body.join('\n') };
}

/** What a document says of an application. */
function shownOf({ name, redirectUris }: ApplicationRow): string {
  return sha256Hex(JSON.stringify([name, redirectUris]));
}

/** None is chosen in advance, unless the application names one or there is only one. An application that nobody checked suggests none. */
export function accountChoice(
  accounts: readonly { id: number; name: string }[],
  wanted: number,
  words: ConsentWords,
  { isSuggested = true } = {},
): string {
  const options = accounts.map(({ id, name }) => {
    const isChosen = id === wanted || (isSuggested && accounts.length === 1);
    const value = `<option value="${id}"${isChosen ? ' selected' : ''}>${escapeHtml(name)}</option>`;
    return value;
  });
  const none = `<option value="">${words.choose}</option>`;
  return `<label for="account">${words.account}</label><select id="account" name="account" required>${none}${options.join('')}</select>`;
}

/** What the application may do in the account. Nothing is chosen in advance. */
function scopeChoice(
  asked: readonly string[],
  { config }: Pick<Services, 'config'>,
  {
    words,
    language,
    scopes,
    resource,
  }: Pick<Asked, 'words' | 'language'> &
    Pick<AskedScopes, 'resource'> & { readonly scopes: readonly string[] },
): string {
  const lines = asked.map((scope) => {
    const product = config.PRODUCT_PERMISSIONS.find(({ name }) => name === scope);
    const text = words.api[scope] ?? product?.label[language] ?? scope;
    const box = `<input type="checkbox" name="scopes" value="${scope}"${scopes.includes(scope) ? ' checked' : ''}>`;
    return `<label class="check">${box} ${escapeHtml(text)}</label>`;
  });
  const legend = resource === undefined ? words.mayThere : words.mayAt(resource.name, resource.origin);
  return `<fieldset><legend>${escapeHtml(legend)}</legend>${lines.join('')}</fieldset>`;
}

async function agree(exchange: Exchange, asked: Asked): Promise<void> {
  const { ctx, request, response } = exchange;
  const { application, interaction, provider, visitor, words } = asked;
  const { services } = ctx;
  const fields = form.parse(await bodyFields(request, response, { form: true }));
  const isTheirs = visitor !== undefined && interaction.session?.accountId === String(visitor.memberId);
  if (!isTheirs) return leadHereAfterSignIn(exchange, asked);
  if (interaction.prompt.name === 'login') return show(exchange, asked);
  const { about, api, resources, resource } = await askedScopes(ctx, asked);
  const isInAccount = actsInAccount([...about, ...api]);
  const offered = isInAccount ? await offeredAccounts(ctx, { visitor, application }, api.length > 0) : [];
  const sent = { account: fields.account, scopes: [fields.scopes].flat() };
  const chosen = api.filter((scope) => sent.scopes.includes(scope));
  const inAccountId = offered.find(({ id }) => String(id) === sent.account)?.id ?? null;
  const { member, session } = visitor;
  const notAdmitted = await refusalOf(services, { application, member, level: session.level });
  const isOther = clientHost(application.clientId) !== undefined && fields.shown !== shownOf(application);
  const lacksAccount = notAdmitted !== undefined || (isInAccount && inAccountId === null);
  if (isOther || lacksAccount || (about.length === 0 && chosen.length === 0)) {
    const wrong = isOther ? words.changed : lacksAccount ? words.choose : words.chooseScopes;
    sendPage(
      response,
      await consentPage(exchange, { ...asked, visitor }, isOther ? { wrong } : { ...sent, wrong }),
    );
    return;
  }
  if (interaction.session?.uid !== sessionUid(visitor)) {
    // They have signed in anew since the application asked.
    delete interaction.session;
    await interaction.persist();
  }
  const chosenScopes = { scopes: [...about, ...chosen], asked: [...about, ...api] };
  const agreed = { application, inAccountId, resourceId: resource?.id ?? null, ...chosenScopes };
  const { consentId, applicationId } = await recordConsent(ctx, agreed);
  const consented = { ...agreed, application: { ...application, id: applicationId }, consentId };
  const given = { ...consented, provider, visitor, resources, nowMs: services.now() };
  const grantId = await saveGrant(services, given);
  await finish(exchange, asked, { select_account: {}, consent: { grantId } });
}

async function cancel(exchange: Exchange, asked: Asked): Promise<void> {
  const denied = { error: 'access_denied', error_description: 'The person did not agree' };
  await finish(exchange, asked, denied, { mergeWithLastSubmission: false });
}
