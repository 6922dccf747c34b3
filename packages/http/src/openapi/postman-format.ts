/** A Postman collection, format 2.1, limited to the parts that we use. */
export interface PostmanCollection {
  readonly info: {
    readonly name: string;
    readonly description: string;
    readonly version: string;
    readonly schema: string;
  };
  readonly variable: readonly Described[];
  readonly item: readonly {
    readonly name: string;
    readonly description: string;
    readonly item: readonly PostmanItem[];
  }[];
}

export interface PostmanItem {
  readonly name: string;
  readonly request: PostmanRequest;
  readonly event?: readonly {
    readonly listen: 'test';
    readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
  }[];
  /** Example answers. */
  readonly response: readonly {
    readonly name: string;
    readonly originalRequest: PostmanRequest;
    readonly status: string;
    readonly code: number;
    readonly header: readonly Described[];
    readonly body: string;
  }[];
}

export interface PostmanRequest {
  readonly method: string;
  readonly description: string;
  readonly auth: PostmanAuth;
  readonly header: readonly (Described & Switchable)[];
  readonly url: PostmanUrl;
  readonly body?:
    | {
        readonly mode: 'raw';
        readonly raw: string;
        readonly options: { readonly raw: { readonly language: 'json' } };
      }
    | { readonly mode: 'urlencoded'; readonly urlencoded: readonly Described[] };
}

export interface PostmanUrl {
  readonly raw: string;
  readonly host: readonly string[];
  readonly path: readonly string[];
  readonly query: readonly (Described & Switchable)[];
  readonly variable: readonly Described[];
}

type AuthAttribute = Described & { readonly type: 'string' };

export type PostmanAuth =
  | { readonly type: 'noauth' }
  | { readonly type: 'bearer'; readonly bearer: readonly AuthAttribute[] }
  | { readonly type: 'apikey'; readonly apikey: readonly AuthAttribute[] };

/** A name with its value. */
export interface Described {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
}

interface Switchable {
  readonly disabled?: true;
}
