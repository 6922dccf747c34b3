/** The session of the browser's user, or that of somebody whom they act for. */
export type SessionCookieKind = 'session' | 'acting';

/** The session tokens, and the browser that a second step is bound to. */
export type CookieKind = SessionCookieKind | 'step';
