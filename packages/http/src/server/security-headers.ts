import type { HttpConfig } from './http-config.js';

/** Headers of every answer. Pages that load resources replace the policy. */
export function securityHeaders(
  config: Pick<HttpConfig, 'BASE_URL'>,
): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (config.BASE_URL.startsWith('https:')) {
    headers.push(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']);
  }
  return headers;
}
