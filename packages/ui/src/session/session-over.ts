import type { ServiceClient } from './service-client.js';

let isOver = false;
const listeners = new Set<() => void>();

function setOver(next: boolean): void {
  if (next === isOver) return;
  isOver = next;
  for (const listener of listeners) listener();
}

export const isSessionOver = (): boolean => isOver;
export const tellSessionOver = (): void => setOver(true);
export const tellSessionBack = (): void => setOver(false);

export function watchSessionOver(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Watches how the session ends and comes back: by the service, or in another tab.
 * @param onReturn somebody signed in elsewhere, who may be somebody else
 */
export function watchSession(client: ServiceClient, onReturn: () => void): () => void {
  return client.subscribe(({ isSignedIn, cause }) => {
    if (cause === 'refused' || (cause === 'elsewhere' && !isSignedIn)) setOver(true);
    if (cause === 'elsewhere' && isSignedIn) onReturn();
  });
}
