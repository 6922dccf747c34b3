/** The parts of passport and its strategies used here, typed by their behaviour. */
declare module 'passport' {
  import type { PublishedStrategy } from 'passport-oauth2';

  namespace passport {
    interface StrategyRequest {
      readonly query: Readonly<Record<string, string>>;
    }

    /** The parts of a response that a redirecting strategy uses. */
    interface StrategyResponse {
      statusCode: number;
      setHeader(name: string, value: string): void;
      end(): void;
    }

    interface Authenticator {
      use(name: string, strategy: PublishedStrategy): this;
      authenticate(
        name: string,
        options: Readonly<Record<string, unknown>>,
        callback: (error: unknown, user?: unknown) => void,
      ): (request: StrategyRequest, response: StrategyResponse, next: (error?: unknown) => void) => void;
    }
  }

  const passport: { readonly Passport: new () => passport.Authenticator };
  export = passport;
}

declare module 'passport-oauth2' {
  namespace OAuth2Strategy {
    type Done = (error: unknown, result?: unknown) => void;

    interface StrategyOptions {
      readonly clientID: string;
      readonly clientSecret: string;
      readonly callbackURL: string;
      readonly authorizationURL: string;
      readonly tokenURL: string;
      readonly scope: string[];
      readonly scopeSeparator: string;
    }

    type Verify = (
      accessToken: string,
      refreshToken: string | undefined,
      results: unknown,
      profile: unknown,
      done: Done,
    ) => void;

    /** A strategy's client, which passport-oauth2 passes to subclasses. */
    interface OAuth2Client {
      getOAuthAccessToken(
        code: string,
        params: Readonly<Record<string, string>>,
        done: (error: unknown, accessToken?: string, refreshToken?: string, results?: unknown) => void,
      ): void;
    }

    interface PublishedStrategy {
      readonly _oauth2: OAuth2Client;
      authorizationParams(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
      tokenParams(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
      userProfile(accessToken: string, done: Done): void;
    }

    type StrategyClass = new (options: StrategyOptions, verify: Verify) => PublishedStrategy;
  }

  const OAuth2Strategy: OAuth2Strategy.StrategyClass;
  export = OAuth2Strategy;
}

declare module 'passport-google-oauth20' {
  import type { StrategyClass } from 'passport-oauth2';

  const strategies: { readonly Strategy: StrategyClass };
  export = strategies;
}

declare module 'passport-github2' {
  import type { StrategyClass } from 'passport-oauth2';

  const strategies: { readonly Strategy: StrategyClass };
  export = strategies;
}

declare module 'passport-facebook' {
  import type { StrategyClass } from 'passport-oauth2';

  const strategies: { readonly Strategy: StrategyClass };
  export = strategies;
}

declare module 'passport-linkedin-oauth2' {
  import type { StrategyClass } from 'passport-oauth2';

  const strategies: { readonly Strategy: StrategyClass };
  export = strategies;
}

declare module 'passport-twitter-oauth2' {
  import type { StrategyClass } from 'passport-oauth2';

  const strategies: { readonly Strategy: StrategyClass };
  export = strategies;
}
