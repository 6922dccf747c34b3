import { writableStorage } from './page-window.js';
import { randomText } from './random-text.js';

const KEY = 'gatehouse.device';

/**
 * The id of this browser: random, and kept in its `localStorage` for all clients of the origin. Undefined on a server, in a
 * worker, and where the browser keeps nothing.
 */
export function deviceId(): string | undefined {
  const storage = writableStorage('localStorage');
  if (storage?.getItem(KEY) === null) storage.setItem(KEY, randomText());
  return storage?.getItem(KEY) ?? undefined;
}
