/**
 * The Content-Security-Policy of built pages: their own files alone, no markup or code made of text, no frames. It is that of
 * every document, so that a screen that needs more cannot be added by accident.
 */
export const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
