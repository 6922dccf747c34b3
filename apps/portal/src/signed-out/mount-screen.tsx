import '../theme.css';
import { offerCompanySignIn } from '@gatehouse/ui/failure/use-mutation-state';
import { preferredLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { showTheme } from '@gatehouse/ui/screen/chosen-theme';
import { type ReactElement, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { keptFlow } from '../kept-flow.js';
import { startCompanySignIn } from '../provider-flow.js';
import { loadSettings } from './settings.js';
import { MESSAGES } from './words.js';

function watchLanguage(listener: () => void): () => void {
  return catalogue.on('change', listener);
}

/** A page that Back restores from memory while it was navigating away would wait forever. */
function reloadWhatHasLeft({ persisted }: PageTransitionEvent): void {
  if (persisted && document.querySelector('[aria-busy=true]') !== null) location.reload();
}

/**
 * Shows a screen in the language of its reader, and again when they choose another; what is typed stays.
 * @param search the query that says where to go after signing in, if the address does not
 */
export async function mountScreen(Screen: () => ReactElement, search?: string): Promise<void> {
  showTheme();
  // Nothing of an old sign-in stays in the browser.
  keptFlow();
  addEventListener('pageshow', reloadWhatHasLeft);
  offerCompanySignIn((startUrl) => startCompanySignIn(startUrl, search ?? location.search));
  await Promise.all([showLanguage(preferredLanguage(), MESSAGES), loadSettings()]);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The document has no root');
  createRoot(root).render(<InLanguage of={Screen} />);
}

function InLanguage({ of: Screen }: { readonly of: () => ReactElement }): ReactElement {
  useSyncExternalStore(watchLanguage, () => catalogue.locale);
  return <Screen />;
}
