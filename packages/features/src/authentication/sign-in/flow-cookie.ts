import type { Services } from '../../core/app/services.js';

const LIFE_SECONDS = 900;

/** Keeps the flow of the page that signs in by mail, for requests that begin on our own pages alone. */
export function keepFlow({ config }: Pick<Services, 'config'>, flow: string): string {
  return cookie(config.BASE_URL, flow, LIFE_SECONDS);
}

/** The Set-Cookie header that removes the flow. */
export function forgetFlow({ config }: Pick<Services, 'config'>): string {
  return cookie(config.BASE_URL, '', 0);
}

/** The flow in a Cookie header; empty without one. */
export function keptFlow({ config }: Pick<Services, 'config'>, header = ''): string {
  const start = `${nameFor(config.BASE_URL)}=`;
  const pair = header.split(';').find((each) => each.trim().startsWith(start));
  return pair?.trim().slice(start.length) ?? '';
}

/** The `__Host-` prefix (RFC 6265bis) prevents neighbouring hosts from setting the cookie. */
function nameFor(baseUrl: string): string {
  return `${isSecure(baseUrl) ? '__Host-' : ''}gatehouse-sign-in`;
}

function cookie(baseUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', ...(isSecure(baseUrl) ? ['Secure'] : [])];
  return [`${nameFor(baseUrl)}=${value}`, `Max-Age=${maxAgeSeconds}`, ...attributes].join('; ');
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
