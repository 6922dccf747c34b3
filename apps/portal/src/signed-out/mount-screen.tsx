import '../theme.css';
import { preferredLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { type ReactElement, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { keptFlow } from '../kept-flow.js';
import { loadSettings } from './settings.js';
import { MESSAGES } from './words.js';

function watchLanguage(listener: () => void): () => void {
  return catalogue.on('change', listener);
}

/** Shows a screen in the language of its reader, and again when they choose another; what is typed stays. */
export async function mountScreen(Screen: () => ReactElement): Promise<void> {
  // Nothing of an old sign-in stays in the browser.
  keptFlow();
  await Promise.all([showLanguage(preferredLanguage(), MESSAGES), loadSettings()]);
  const root = document.getElementById('root');
  if (root === null) throw new Error('The document has no root');
  createRoot(root).render(<InLanguage of={Screen} />);
}

function InLanguage({ of: Screen }: { readonly of: () => ReactElement }): ReactElement {
  useSyncExternalStore(watchLanguage, () => catalogue.locale);
  return <Screen />;
}
