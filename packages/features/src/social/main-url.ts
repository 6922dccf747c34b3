import type { Config } from '../app/config.js';

/** The main service as the world reaches it: where social sign-in begins and where providers send people back to. */
export function mainUrl(config: Pick<Config, 'BASE_URL' | 'MAIN_URL'>): string {
  return config.MAIN_URL ?? config.BASE_URL;
}
