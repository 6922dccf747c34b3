import { startSsoSignIn } from '@gatehouse/client-sdk';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { keep } from './tab-storage.js';

/** What the page after a provider has to know of the flow that ends there. */
const KEPT = ['linking', 'provider', 'search', 'test'] as const;

/** Keeps what this tab goes to a provider for, and nothing of an earlier flow that was given up there. */
export function keepFlowAtProvider(flow: Readonly<Partial<Record<(typeof KEPT)[number], string>>>): void {
  for (const name of KEPT) keep(name, flow[name]);
}

/**
 * Goes to the page of a company, to sign in.
 * @param search the query of a page to sign in, which says where that leads on to
 */
export function startCompanySignIn(startUrl: string, search: string): void {
  keepFlowAtProvider({ search });
  startSsoSignIn(startUrl, undefined, { locale: shownLanguage() });
}
