import type { IncomingMessage } from 'node:http';
import { escapeHtml } from './escape-html.js';

/** It is served with the scripts of the documents. */
const SCRIPT = '/docs/move-to-host.js';

/**
 * The origin of our public address, if a request names another host, where a browser would keep cookies that it does not send to
 * that address. Undefined for the same host: cookies ignore ports. A proxy may name a host of its own here, so this is no reason to
 * redirect.
 */
export function otherHostThan(
  baseUrl: string,
  { headers: { host } }: Pick<IncomingMessage, 'headers'>,
): string | undefined {
  if (host === undefined || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, origin } = new URL(baseUrl);
  return new URL(`http://${host}`).hostname === hostname ? undefined : origin;
}

/** The element of a page's head that moves the page to an origin, unless the browser is at its host already. */
export function moveToHost(origin: string): string {
  return `<script src="${SCRIPT}" data-origin="${escapeHtml(origin)}"></script>`;
}
