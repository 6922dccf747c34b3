import { startSsoSignIn } from '@gatehouse/client-sdk';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { recordDeparture } from './signed-out/last-method.js';
import { keep } from './tab-storage.js';

/** What the page that a provider returns to must know about its flow. */
const KEPT = ['linking', 'provider', 'search', 'test'] as const;

/** Stores why this tab goes to a provider, and clears what an abandoned flow left. */
export function keepFlowAtProvider(flow: Readonly<Partial<Record<(typeof KEPT)[number], string>>>): void {
  for (const name of KEPT) keep(name, flow[name]);
  recordDeparture(flow.linking === undefined ? flow.provider : undefined);
}

/**
 * Goes to the page of a company, to sign in.
 * @param search the query of the sign-in page, which says where to continue afterwards
 */
export function startCompanySignIn(startUrl: string, search: string): void {
  keepFlowAtProvider({ search });
  startSsoSignIn(startUrl, undefined, { locale: shownLanguage() });
}
