import { currentPage, type PageWindow } from '../page-window.js';
import type { SocialProvider } from './start-social-sign-in.js';

/** The parts of a client that connecting needs. */
export interface ConnectingClient {
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
