import type { finishSocial } from '@gatehouse/client-sdk';

type PageWindow = NonNullable<Parameters<typeof finishSocial>[1]>;

/** This page, as if its address had a query that stands nowhere else. */
export function pageWithQuery(query: URLSearchParams): PageWindow {
  return {
    location: {
      href: `${location.origin}${location.pathname}?${query.toString()}`,
      assign: (url) => location.assign(url),
    },
    history: { state: null, replaceState: () => undefined },
    localStorage,
    sessionStorage,
    addEventListener: (type, listener) => window.addEventListener(type, listener),
    removeEventListener: (type, listener) => window.removeEventListener(type, listener),
  };
}
