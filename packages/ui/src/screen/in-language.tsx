import { type ReactElement, useSyncExternalStore } from 'react';
import { catalogue } from '../messages/translate.js';

const watchLanguage = (listener: () => void): (() => void) => catalogue.on('change', listener);

/** A screen that is shown again when its reader chooses another language; what is typed stays. */
export function inLanguage(Screen: () => ReactElement | null): () => ReactElement {
  return function InLanguage() {
    useSyncExternalStore(watchLanguage, () => catalogue.locale);
    return <Screen />;
  };
}
