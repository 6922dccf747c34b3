import type { ServerResponse } from 'node:http';
import { type Page, type PageProduct, sendPage } from '@gatehouse/http/pages/html-page';
import { type Config, productName } from '../core/config.js';
import type { Context } from '../core/context.js';

/** The product of a deployment, as its pages show it. */
export function pageProduct(config: Pick<Config, 'PORTAL_BRAND'>): PageProduct {
  const brand = config.PORTAL_BRAND;
  return { name: productName(config), hasMark: brand === undefined, accents: brand?.accents };
}

/** Sends a page in the frame of the product. */
export function sendProductPage(
  { services }: { readonly services: Pick<Context['services'], 'config'> },
  response: ServerResponse,
  page: Page,
): void {
  sendPage(response, { ...page, product: pageProduct(services.config) });
}
