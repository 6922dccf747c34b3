import type { Config } from '../../app/config.js';

/** Where providers send people back to, whatever a client says. */
export function billingPage({ APP_URL }: Pick<Config, 'APP_URL'>): string {
  return `${APP_URL}/billing`;
}
