/** Strategies without types, or without types of what we call. Each is passport-oauth2's under another name. */
declare module 'passport-facebook' {
  import type { Strategy } from 'passport-oauth2';

  const strategies: { readonly Strategy: typeof Strategy };
  export = strategies;
}

declare module 'passport-linkedin-oauth2' {
  import type { Strategy } from 'passport-oauth2';

  const strategies: { readonly Strategy: typeof Strategy };
  export = strategies;
}

declare module 'passport-twitter-oauth2' {
  import type { Strategy } from 'passport-oauth2';

  const strategies: { readonly Strategy: typeof Strategy };
  export = strategies;
}
