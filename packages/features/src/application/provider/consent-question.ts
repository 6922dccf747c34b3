import { AppError, decideAccess } from '@gatehouse/auth-core';
import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import type { ResourceRow } from '@gatehouse/db/queries/resources';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import { productName } from '../../core/config.js';
import type { Context, Services } from '../../core/context.js';
import { clientHost, isBlockedIn } from '../../core/guard/client-host.js';
import { refusalOf } from '../../core/guard/grant-standing.js';
import { levelFacts } from '../../core/guard/level.js';
import { isolated } from '../../pages/isolated.js';
import { OPENID_SCOPES } from '../application-scopes.js';
import { apiScopesOf } from './client-metadata.js';
import type { ConsentWords } from './consent-words.js';
import { actsInAccount } from './consented-grant.js';
import { findAskedResource } from './find-asked-resource.js';
import { isOwnApi } from './own-api.js';
import type { Visitor } from './visitor.js';

/** More accounts than this are not offered. */
const MAX_ACCOUNTS = 250;

/** Refusals for the level of a session. */
const LEVELS: ReadonlySet<string> = new Set(['enrolment_required', 'verification_required']);

/** A person whom an application asks for something, by the parameters of its request. */
export interface Asking {
  readonly visitor: Visitor;
  readonly application: ApplicationRow;
  readonly params: Readonly<Record<string, unknown>>;
  /** The path of the page that asks. */
  readonly here: string;
  readonly language: 'en' | 'de';
  readonly words: ConsentWords;
}

/** What an application asks a person for, and what the person can give it. */
export interface ConsentQuestion {
  /** What it wants to be told of them. */
  readonly about: readonly string[];
  /** What it wants to do in an account. */
  readonly api: readonly string[];
  /** The resource indicators of the request. */
  readonly resources: readonly string[];
  /** The API of the product that it is for; undefined for this service. */
  readonly resource: ResourceRow | undefined;
  readonly isInAccount: boolean;
  /** Those that they can let it act in, by name. */
  readonly accounts: readonly { readonly id: number; readonly name: string }[];
  /** Those that require a higher level than the session has. */
  readonly locked: readonly { readonly id: number; readonly name: string }[];
  /** Who publishes it, and the account as which the person is signed in. */
  readonly lead: string;
  /** Why they cannot let it in. */
  readonly refusal: string | undefined;
}

/** What a person sent with the form. */
export interface SentAnswer {
  readonly account?: string | undefined;
  readonly scopes?: readonly string[];
}

export async function readQuestion(ctx: Context, asking: Asking): Promise<ConsentQuestion> {
  const { services } = ctx;
  const { application, visitor, words } = asking;
  const { access, config } = services;
  const { member, session } = visitor;
  const asked = await askedScopes(services, asking);
  const isInAccount = actsInAccount([...asked.about, ...asked.api]);
  const found = isInAccount ? await accountsFor(ctx, asking, asked.api.length > 0) : NO_ACCOUNTS;
  const { accountId } = application;
  const publishing =
    accountId === null ? undefined : { id: accountId, name: (await access.account(accountId))?.name ?? '' };
  const publisher =
    publishing === undefined ? productName(config) : words.organization(isolated(publishing.name));
  const profile = await access.profile(member);
  if (profile === undefined) throw new AppError('unauthorized');
  const isUnchecked = clientHost(application.clientId) !== undefined;
  const by = isUnchecked ? words.unchecked(new URL(application.clientId).host) : words.by(publisher);
  const lead = escapeHtml(`${by} ${words.as(isolated(profile.email ?? profile.username))}`);
  const notAdmitted = await refusalOf(services, { application, member, level: session.level });
  const isTooLow = notAdmitted !== undefined && LEVELS.has(notAdmitted);
  const { offered: accounts, locked } =
    isTooLow && publishing !== undefined ? { offered: [], locked: [publishing] } : found;
  const question = { ...asked, isInAccount, accounts, locked, lead: `<p>${lead}</p>` };
  if (isTooLow) return { ...question, refusal: words.higherLevel(publisher) };
  if (notAdmitted !== undefined) return { ...question, refusal: words.onlyMembers(publisher) };
  if (!isInAccount || accounts.length > 0) return { ...question, refusal: undefined };
  return { ...question, refusal: locked.length > 0 ? words.allLocked : words.noAccount };
}

/** The maximum number of accounts named that require a higher level. */
const NAMED_LOCKED = 5;

/** Where a person raises the level of their session and comes back from; without a portal, what they can do. */
export function stepUpLinks(
  { config, servesPortal }: Pick<Services, 'config' | 'servesPortal'>,
  { locked, refusal }: ConsentQuestion,
  { here, words }: Pick<Asking, 'here' | 'words'>,
): string {
  if (locked.length === 0) return '';
  if (!servesPortal) return `<p>${words.signInThatWay}</p>`;
  const query = new URLSearchParams({ next: here }).toString();
  return locked
    .slice(0, NAMED_LOCKED)
    .map(({ id, name }) => {
      const link = `<a href="${escapeHtml(`${config.BASE_URL}/portal/a/${id}?${query}`)}">${escapeHtml(words.takeStep(isolated(name)))}</a>`;
      return refusal === undefined
        ? `<p>${escapeHtml(words.higherLevelThere(isolated(name)))} ${link}</p>`
        : `<p>${link}</p>`;
    })
    .join('');
}

async function askedScopes(services: Services, { application, params: { scope, resource } }: Asking) {
  // Devices may omit the scope.
  const scopes = typeof scope === 'string' ? scope.split(' ') : ['openid'];
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

interface FoundAccounts {
  /** Those that a visitor can let an application act in. */
  readonly offered: readonly { readonly id: number; readonly name: string }[];
  /** Those that they could if their session had a higher level. */
  readonly locked: readonly { readonly id: number; readonly name: string }[];
}

const NO_ACCOUNTS: FoundAccounts = { offered: [], locked: [] };

/** The accounts of a visitor that could let an application in, by name. */
async function accountsFor(
  { services }: Context,
  { visitor, application }: Pick<Asking, 'visitor' | 'application'>,
  isForAgent: boolean,
): Promise<FoundAccounts> {
  const { member, session } = visitor;
  const reached = [...member.memberships.keys()].slice(0, MAX_ACCOUNTS);
  const ids = application.accountId === null ? reached : [application.accountId];
  const accounts = await services.access.accounts(ids);
  const level = levelFacts(services, member, session);
  const found = ids
    .flatMap((id) => {
      const account = accounts.get(id);
      if (account === undefined || !member.memberships.has(id)) return [];
      if (isForAgent && !account.allowsAgents) return [];
      if (isBlockedIn(account, application.clientId)) return [];
      const { reason } = decideAccess(services.roles, member, { accountId: id, account, level });
      return [{ id, name: account.name, reason }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return {
    offered: found.filter(({ reason }) => reason === undefined),
    locked: found.filter(({ reason }) => reason !== undefined && LEVELS.has(reason)),
  };
}

/** What the application wants to be told. */
export function wantsList(
  { about, api, resource }: ConsentQuestion,
  { words }: Pick<Asking, 'words'>,
): string {
  // An agent may ask this service who it acts for.
  const learned = new Set([...(api.length > 0 ? [resource === undefined ? 'api' : 'openid'] : []), ...about]);
  const texts = [...learned].flatMap((scope) => {
    const text = words.scopes[scope];
    return text === undefined ? [] : [`<li>${text}</li>`];
  });
  return texts.length === 0 ? '' : `<p>${words.wants}</p><ul class="wants">${texts.join('')}</ul>`;
}

/** Buttons beside each other. */
export const inRow = (...buttons: readonly string[]): string =>
  `<div class="actions">${buttons.join('')}</div>`;

/** How long the application may. */
export function lastsText({ about }: ConsentQuestion, { words }: Pick<Asking, 'words'>): string {
  return about.includes('offline_access') ? words.untilWithdrawn : words.untilSignOut;
}

/** The fields with which the person chooses an account, and what the application may do there. */
export function choiceFields(
  services: Pick<Services, 'config'>,
  { accounts, api, isInAccount, resource }: ConsentQuestion,
  { application, params, language, words }: Asking,
  sent: SentAnswer,
): string {
  const isChecked = clientHost(application.clientId) === undefined;
  const { account = isChecked ? params['account'] : undefined, scopes = [] } = sent;
  const fields = [
    isInAccount ? accountChoice(accounts, Number(account), words, isChecked) : '',
    api.length > 0 ? scopeChoice(api, services, { words, language, scopes, resource }) : '',
  ];
  return fields.filter((field) => field !== '').join('\n');
}

/**
 * None is preselected, unless the application names one or there is only one. An application that nobody checked suggests none.
 */
function accountChoice(
  accounts: ConsentQuestion['accounts'],
  wanted: number,
  words: ConsentWords,
  isSuggested: boolean,
): string {
  const options = accounts.map(({ id, name }) => {
    const isChosen = id === wanted || (isSuggested && accounts.length === 1);
    return `<option value="${id}"${isChosen ? ' selected' : ''}>${escapeHtml(name)}</option>`;
  });
  const none = `<option value="">${words.choose}</option>`;
  return `<label for="account">${words.account}</label><select id="account" name="account" required>${none}${options.join('')}</select>`;
}

/** What the application may do in the account. Nothing is preselected. */
function scopeChoice(
  asked: readonly string[],
  { config }: Pick<Services, 'config'>,
  {
    words,
    language,
    scopes,
    resource,
  }: Pick<Asking, 'words' | 'language'> &
    Pick<ConsentQuestion, 'resource'> & { readonly scopes: readonly string[] },
): string {
  const lines = asked.map((scope) => {
    const product = config.PRODUCT_PERMISSIONS.find(({ name }) => name === scope);
    const text = words.api[scope] ?? product?.label[language] ?? scope;
    const box = `<input type="checkbox" name="scopes" value="${scope}"${scopes.includes(scope) ? ' checked' : ''}>`;
    return `<label class="check">${box} ${escapeHtml(text)}</label>`;
  });
  const legend =
    resource === undefined ? words.mayThere : words.mayAt(isolated(resource.name), resource.origin);
  return `<fieldset><legend>${escapeHtml(legend)}</legend>${lines.join('')}</fieldset>`;
}

interface Agreed {
  readonly inAccountId: number | null;
  readonly resourceId: number | null;
  readonly resources: readonly string[];
  readonly scopes: readonly string[];
  /** What the person was asked for. */
  readonly asked: readonly string[];
}

/** What a person agrees to by the form that they sent, or what is wrong with it. */
export function agreedIn(
  { about, accounts, api, isInAccount, refusal, resource, resources }: ConsentQuestion,
  { words }: Pick<Asking, 'words'>,
  { account, scopes = [] }: SentAnswer,
):
  | { readonly agreed: Agreed; readonly wrong?: never }
  | { readonly agreed?: undefined; readonly wrong: string } {
  const inAccountId = accounts.find(({ id }) => String(id) === account)?.id ?? null;
  if (refusal !== undefined || (isInAccount && inAccountId === null)) return { wrong: words.choose };
  const chosen = api.filter((scope) => scopes.includes(scope));
  if (about.length + chosen.length === 0) return { wrong: words.chooseScopes };
  return {
    agreed: {
      inAccountId,
      resourceId: resource?.id ?? null,
      resources,
      scopes: [...about, ...chosen],
      asked: [...about, ...api],
    },
  };
}
