import type { MainOutputs } from '@gatehouse/client-sdk';
import { overrideMessages } from '@gatehouse/ui/messages/language';
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

/** Asks for the settings; resolves once they are there, or it is time to show the screen. */
export function loadSettings(): Promise<void> {
  const asked = gatehouse.api.portal.settings
    .query()
    .then(({ data }) => {
      settings = data;
      if (data.brand.messages !== undefined) overrideMessages(data.brand.messages);
      for (const listener of listeners) listener();
    })
    .catch(() => undefined);
  return Promise.race([asked, new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

export const currentSettings = (): Settings => settings;

export function watchSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
