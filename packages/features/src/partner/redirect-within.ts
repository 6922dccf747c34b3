import { AppError } from '@gatehouse/auth-core';

/**
 * The URL a member is redirected to at a partner. It must have the origin of the partner's front end.
 * @throws {AppError} `invalid_input` for every other URL, and for spellings that browsers and parsers read
 * differently
 */
export function redirectWithin(appUrl: string, redirectUrl: string | undefined): URL {
  if (redirectUrl === undefined) return new URL(appUrl);
  const isPlain = /^[\x21-\x7e]+$/.test(redirectUrl) && !redirectUrl.includes('\\');
  const url = isPlain && URL.canParse(redirectUrl) ? new URL(redirectUrl) : undefined;
  const { origin } = new URL(appUrl);
  const isWithin =
    url !== undefined &&
    url.origin === origin &&
    url.username === '' &&
    url.password === '' &&
    /^([/?#]|$)/.test(redirectUrl.slice(origin.length)) &&
    redirectUrl.toLowerCase().startsWith(origin) &&
    !url.pathname.startsWith('//');
  if (!isWithin) {
    throw new AppError('invalid_input', {
      issues: [{ path: 'redirectUrl', message: 'must be a URL at the origin of that partner' }],
    });
  }
  return url;
}
