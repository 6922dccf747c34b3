import jwt from 'jsonwebtoken';

export interface GatehouseSettings {
  /** The URL of the main service: https://gatehouse.example.com */
  readonly url: string;
  readonly partnerId: string;
  readonly secretKey: string;
}

export interface NewUser {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly username?: string;
  readonly accountName?: string;
}

/** A member who signs in from Gatehouse; Gatehouse vouches for these fields. */
export interface Visitor {
  readonly id: number;
  /** Null unless the owner of the address is proven. */
  readonly email: string | null;
  readonly username: string;
  /** Data sent by their browser; Gatehouse does not vouch for it. */
  readonly caller: Readonly<Record<string, string | number | boolean | null>>;
}

/** The back end of a partner: registers its users, signs them on, and verifies members who come from Gatehouse. */
export function connectGatehouse({ url, partnerId, secretKey }: GatehouseSettings) {
  let token: Promise<string> | undefined;

  async function post(path: string, body: object, bearer?: string): Promise<Response> {
    return fetch(`${url}/partnerAuth/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
    });
  }

  async function authenticate(): Promise<string> {
    const response = await post('partnerAuthentication', { partnerId, secretKey });
    if (!response.ok) throw new Error(`Gatehouse refuses the secretKey: ${response.status}`);
    return (JSON.parse(await response.text()) as { token: string }).token;
  }

  /** One token is valid for an hour; a 401 means that it has expired, or that the secretKey was rotated. */
  async function call(path: string, body: object): Promise<Response> {
    token ??= authenticate();
    const response = await post(path, body, await token);
    if (response.status !== 401) return response;
    token = authenticate();
    return post(path, body, await token);
  }

  return {
    /** Registers a user. False if a member of Gatehouse has the address already: ask them to sign in there. */
    async register(user: NewUser): Promise<boolean> {
      const response = await call('registerUser', user);
      if (response.status === 409) return false;
      if (!response.ok) throw new Error(`registerUser: ${response.status}`);
      return true;
    },

    /** The URL that signs a user's browser in; undefined for people who are not your users there. */
    async loginUrl(email: string): Promise<string | undefined> {
      const response = await call('singleSignOn', { email });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`singleSignOn: ${response.status}`);
      return (JSON.parse(await response.text()) as { loginUrl: string }).loginUrl;
    },

    /** The member with this `token` in the query. Throws for a token that Gatehouse did not sign for you just now. */
    visitor(signIn: string): Visitor {
      const claims = jwt.verify(signIn, secretKey, { algorithms: ['HS256'] });
      return (claims as { user_data: Visitor }).user_data;
    },
  };
}
