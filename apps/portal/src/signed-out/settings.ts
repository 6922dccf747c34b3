import type { MainOutputs } from '@gatehouse/client-sdk';
import { overrideMessages } from '@gatehouse/ui/messages/language';
import { useSyncExternalStore } from 'react';
import { gatehouse } from '../client.js';

/** The ways to sign in that the service offers. */
export type Settings = MainOutputs['portal']['settings']['data'];

/** The settings until the service has answered, or if it does not: what most services offer, so that little moves. */
const UNKNOWN: Settings = {
  // No other product's name is shown while the settings are loading.
  brand: { name: '' },
  providers: [],
  emailSignIn: true,
  passkeys: 'PublicKeyCredential' in globalThis,
  languages: [],
  returnOrigins: [],
  restorableDays: { account: 30, member: 30 },
};

/** How long a screen waits for the settings before it is shown without them. */
const PATIENCE_MS = 400;

let settings = UNKNOWN;

const listeners = new Set<() => void>();

/** The settings inside the document. In development it has none. */
function broughtSettings(): Settings | undefined {
  const brought: unknown = JSON.parse(document.getElementById('settings')?.textContent ?? 'null');
  return isSettings(brought) ? brought : undefined;
}

/** The service wrote them into the document in the form of its procedure, so it is enough that they exist. */
function isSettings(brought: unknown): brought is Settings {
  return typeof brought === 'object' && brought !== null && 'brand' in brought;
}

function take(known: Settings): void {
  settings = known;
  if (known.brand.messages !== undefined) overrideMessages(known.brand.messages);
  for (const listener of listeners) listener();
}

/** Takes the settings of the document, or asks for them; resolves once they are there, or it is time to show the screen. */
export async function loadSettings(): Promise<void> {
  const brought = broughtSettings();
  if (brought !== undefined) return take(brought);
  const asked = gatehouse.api.portal.settings
    .query()
    .then(({ data }) => take(data))
    .catch(() => undefined);
  return Promise.race([asked, new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

/** The settings as far as they are known. */
export const knownSettings = (): Settings => settings;

function watchSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The known settings of the service. */
export function useSettings(): Settings {
  return useSyncExternalStore(watchSettings, knownSettings);
}
