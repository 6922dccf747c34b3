import { type PageWindow, writableStorage } from '../page-window.js';

const KEY = 'gatehouse.social';

/** The time for which the service keeps a flow open. */
const FLOW_LIFE_MS = 600_000;

/** Records in this tab that a sign-in began here. */
export function recordFlow(page: PageWindow): void {
  writableStorage('sessionStorage', page)?.setItem(KEY, String(Date.now()));
}

/** Whether this tab recently began a sign-in. Returns true only once. */
export function consumeFlow(page: PageWindow): boolean {
  const storage = writableStorage('sessionStorage', page);
  const begunAtMs = Number(storage?.getItem(KEY) ?? Number.NaN);
  storage?.removeItem(KEY);
  return Date.now() - begunAtMs < FLOW_LIFE_MS;
}
