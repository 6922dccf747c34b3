import { useSyncExternalStore } from 'react';
import { currentSettings, type Settings, watchSettings } from './settings.js';

/** What the service offers, as far as it is known. */
export function useSettings(): Settings {
  return useSyncExternalStore(watchSettings, currentSettings);
}
