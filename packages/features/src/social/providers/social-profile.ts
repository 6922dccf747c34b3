/** A page, profile or channel that a connection may act for, as told to clients; never with a token. */
export interface SocialAccount {
  readonly id: string;
  readonly name: string;
}

/** What a provider told us about a person, in one shape for all six. */
export interface SocialProfile {
  /** The provider's own id of the person: with the provider, the identity. */
  readonly providerUserId: string;
  readonly email: string | null;
  /** Whether the provider vouches for the address; false where it does not say. */
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  readonly pictureUrl: string | null;
  /** The accounts at the network itself, by the field of a connection that holds them. */
  readonly accounts: SocialAccountLists;
}

export interface SocialAccountLists {
  readonly fbAccounts?: readonly SocialAccount[];
  readonly igAccounts?: readonly SocialAccount[];
  readonly lnAccounts?: readonly SocialAccount[];
  readonly twtAccounts?: readonly SocialAccount[];
}
