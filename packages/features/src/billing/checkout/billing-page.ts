import type { Config } from '../../core/config.js';

/** The return address for providers. Clients cannot change it. */
export function billingPage({ APP_URL }: Pick<Config, 'APP_URL'>): string {
  return `${APP_URL}/billing`;
}
