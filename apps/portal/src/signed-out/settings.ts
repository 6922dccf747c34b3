import type { MainOutputs } from '@gatehouse/client-sdk';
import { overrideMessages } from '@gatehouse/ui/messages/language';
import { useSyncExternalStore } from 'react';
import { gatehouse } from '../client.js';

/** What the service offers to people who sign in. */
export type Settings = MainOutputs['portal']['settings']['data'];

/** What is shown until the service has answered, and where it does not: what most services offer, so that little moves. */
const UNKNOWN: Settings = {
  // Nobody else's name is shown while that of the product is on its way.
  brand: { name: '' },
  providers: [],
  emailSignIn: true,
  passkeys: 'PublicKeyCredential' in globalThis,
  languages: [],
};

/** How long a screen waits for the settings before it is shown without them. */
const PATIENCE_MS = 400;

let settings = UNKNOWN;

const listeners = new Set<() => void>();

/** The settings that the document brings. In development it brings none. */
function broughtSettings(): Settings | undefined {
  const brought: unknown = JSON.parse(document.getElementById('settings')?.textContent ?? 'null');
  return isSettings(brought) ? brought : undefined;
}

/** The service has written them into the document as its procedure answers them, so that they are there is enough. */
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

const currentSettings = (): Settings => settings;

function watchSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** What the service offers, as far as it is known. */
export function useSettings(): Settings {
  return useSyncExternalStore(watchSettings, currentSettings);
}
