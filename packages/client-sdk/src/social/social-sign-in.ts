import type { MainRouter, SocialProviderKey } from '@gatehouse/api-main/router';
import type { inferRouterOutputs } from '@trpc/server';
import type { Credentials, SignedIn } from '../client.js';
import { currentPage, type PageWindow, writableStorage } from '../page-window.js';

const KEY = 'gatehouse.social';

/** The time for which the service keeps a flow open. */
const FLOW_LIFE_MS = 600_000;

/** Records in this tab that a sign-in began here. */
function recordFlow(page: PageWindow): void {
  writableStorage('sessionStorage', page)?.setItem(KEY, String(Date.now()));
}

/** Whether this tab recently began a sign-in. Returns true only once. */
function consumeFlow(page: PageWindow): boolean {
  const storage = writableStorage('sessionStorage', page);
  const begunAtMs = Number(storage?.getItem(KEY) ?? Number.NaN);
  storage?.removeItem(KEY);
  return Date.now() - begunAtMs < FLOW_LIFE_MS;
}

export type SocialProvider = SocialProviderKey;

/**
 * Redirects the browser to a provider to sign in. It returns to `/socialAuth` of the front end, where `finishSocial` continues.
 * Only the tab that began is signed in without a confirmation. `locale` is the language of mails to a new member; by default it
 * is the browser's.
 */
export function startSocialSignIn(
  gatehouse: { readonly url: string },
  provider: SocialProvider,
  page: PageWindow | undefined = currentPage(),
  { locale }: { readonly locale?: 'en' | 'de' } = {},
): void {
  if (page === undefined) throw new Error('A social sign-in begins in a page');
  recordFlow(page);
  const query = locale === undefined ? '' : `?locale=${locale}`;
  page.location.assign(`${gatehouse.url}/social/${provider}${query}`);
}

/**
 * Redirects the browser to the identity provider of an account, to sign in. It returns to `/socialAuth` of the front end, where
 * `finishSocial` continues.
 * @param startUrl where this begins: `data.startUrl` of a refusal `sso_required`, or `/sso/<key>/start` of the service
 */
export function startSsoSignIn(
  startUrl: string,
  page: PageWindow | undefined = currentPage(),
  { locale }: { readonly locale?: 'en' | 'de' } = {},
): void {
  if (page === undefined) throw new Error('A sign-in begins in a page');
  recordFlow(page);
  page.location.assign(locale === undefined ? startUrl : `${startUrl}?locale=${locale}`);
}

/** The parts of a client that connecting needs. */
interface ConnectingClient {
  readonly api: {
    readonly social: {
      readonly connect: { mutate(input: { provider: string }): Promise<{ url: string }> };
    };
  };
}

/**
 * Redirects a signed-in member's browser to a provider, to connect their profile. Only this session can
 * finish it, with `finishSocial`. The client needs a store that outlives the page.
 */
export async function startConnecting(
  gatehouse: ConnectingClient,
  provider: SocialProvider,
  page: PageWindow | undefined = currentPage(),
): Promise<void> {
  if (page === undefined) throw new Error('A connection begins in a page');
  const { url } = await gatehouse.api.social.connect.mutate({ provider });
  page.location.assign(url);
}

type Connection = inferRouterOutputs<MainRouter>['social']['finish']['data'];

/** The result of a social flow. */
export type SocialEnd =
  /** This page is not the end of a flow. */
  | { readonly kind: 'none' }
  /** `connected` is the provider, if this sign-in connected it to an account that the person had before. Tell them. */
  | { readonly kind: 'signedIn'; readonly signedIn: SignedIn; readonly connected?: string }
  /** The profile is connected to the signed-in member. */
  | { readonly kind: 'connected'; readonly connection: Connection }
  /** A code of the service, such as `access_denied` or `link_required`. Compare it; do not show it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** This tab began no sign-in. A link may sign the user in as another person: ask first, and call `signIn` if they agree. */
  | { readonly kind: 'unexpected'; signIn(): Promise<SignedIn> };

/** The parts of a client that finishing needs. */
interface FinishingClient {
  readonly api: {
    readonly social: { readonly finish: { mutate(input: { code: string }): Promise<{ data: Connection }> } };
  };
  signIn(credentials: Credentials): Promise<SignedIn>;
}

/** A result of this page, with the URL it belongs to. */
interface Finished {
  readonly href: string;
  readonly end: Promise<SocialEnd>;
}

/**
 * An effect that runs twice (React's StrictMode) finds the parameters already removed. It gets the first run's
 * result.
 */
const finishedIn = new WeakMap<PageWindow, Finished>();

/**
 * Finishes a social flow on the front end's page `/socialAuth`. It first removes the one-use parameters from
 * the URL. Called again at that URL, it returns the same result.
 * @throws {GatehouseError} `invalid_token` if it was used before, is too old, or belongs to another session
 */
export async function finishSocial(
  gatehouse: FinishingClient,
  page: PageWindow | undefined = currentPage(),
): Promise<SocialEnd> {
  if (page === undefined) throw new Error('A social flow ends in a page');
  const address = new URL(page.location.href);
  const parameters = takeParameters(address);
  const { user, code, error } = parameters;
  if (user === undefined && code === undefined && error === undefined) {
    const finished = finishedIn.get(page);
    return finished?.href === address.href ? finished.end : { kind: 'none' };
  }
  page.history.replaceState(page.history.state, '', address.href);
  const end = finish(gatehouse, page, parameters);
  finishedIn.set(page, { href: address.href, end });
  return end;
}

async function finish(
  gatehouse: FinishingClient,
  page: PageWindow,
  { user, connected, code, error }: Partial<Record<'user' | 'connected' | 'code' | 'error', string>>,
): Promise<SocialEnd> {
  const isBegunHere = consumeFlow(page);
  if (user !== undefined) {
    const signIn = once(() => gatehouse.signIn({ social: true, token: user }));
    if (!isBegunHere) return { kind: 'unexpected', signIn };
    return {
      kind: 'signedIn',
      signedIn: await signIn(),
      ...(connected === undefined ? {} : { connected }),
    };
  }
  if (code !== undefined) {
    const { data } = await gatehouse.api.social.finish.mutate({ code });
    return { kind: 'connected', connection: data };
  }
  return { kind: 'refused', reason: error ?? 'internal' };
}

function takeParameters({
  searchParams,
}: URL): Partial<Record<'user' | 'connected' | 'code' | 'error', string>> {
  const taken: Record<string, string> = {};
  for (const name of ['user', 'connected', 'code', 'provider', 'error']) {
    const value = searchParams.get(name);
    if (value !== null) taken[name] = value;
    searchParams.delete(name);
  }
  return taken;
}

/** A one-use token is sent once, even for several calls. It is sent again only after a refusal or a lost connection. */
function once<Value>(act: () => Promise<Value>): () => Promise<Value> {
  let begun: Promise<Value> | undefined;
  return () => {
    begun ??= act().catch((error: unknown) => {
      begun = undefined;
      throw error;
    });
    return begun;
  };
}
