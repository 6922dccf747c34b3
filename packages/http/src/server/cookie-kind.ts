/** The session of the browser's user, or that of somebody whom they act for. */
export type SessionCookieKind = 'session' | 'acting';

/**
 * The session tokens, the browser that a second step is bound to, and the account that a front end's server has selected: that one
 * is set by `createServerClient` of the client SDK, and only removed here.
 */
export type CookieKind = SessionCookieKind | 'step' | 'account';
