import type { SocialProviderKey } from '@gatehouse/api-main/router';
import { currentPage, type PageWindow } from '../page-window.js';
import { recordFlow } from './social-flow.js';

export type SocialProvider = SocialProviderKey;

/**
 * Redirects the browser to a provider to sign in. It returns to `/socialAuth` of the front end, where
 * `finishSocial` continues. Only the tab that began is signed in without a question.
 */
export function startSocialSignIn(
  gatehouse: { readonly url: string },
  provider: SocialProvider,
  page: PageWindow | undefined = currentPage(),
): void {
  if (page === undefined) throw new Error('A social sign-in begins in a page');
  recordFlow(page);
  page.location.assign(`${gatehouse.url}/social/${provider}`);
}
