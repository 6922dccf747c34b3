import type { Config } from '../core/config.js';

/** The public address of the main service: social sign-in begins there, and providers return to it. */
export function mainUrl(config: Pick<Config, 'BASE_URL' | 'MAIN_URL'>): string {
  return config.MAIN_URL ?? config.BASE_URL;
}
