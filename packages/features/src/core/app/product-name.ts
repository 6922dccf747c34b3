import type { Config } from './config.js';

/** What the product is called in pages and mails. The operator's commands know of no brand. */
export function productName(config: Pick<Config, 'PORTAL_BRAND'> | undefined): string {
  return config?.PORTAL_BRAND?.name ?? 'Gatehouse';
}
