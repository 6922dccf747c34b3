/** A page, profile or channel that a connection may act for, as shown to clients, without tokens. */
export interface SocialAccount {
  readonly id: string;
  readonly name: string;
}

/** A provider's data about a person, in one shape for all six. */
export interface SocialProfile {
  /** The provider's id of the person. Together with the provider it is the identity. */
  readonly providerUserId: string;
  readonly email: string | null;
  /** Whether the provider confirms the address; false if it does not say. */
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  readonly pictureUrl: string | null;
  /** The person's pages, profiles and channels at the network, by the name of their field in a connection. */
  readonly accounts: SocialAccountLists;
}

export interface SocialAccountLists {
  readonly fbAccounts?: readonly SocialAccount[];
  readonly igAccounts?: readonly SocialAccount[];
  readonly lnAccounts?: readonly SocialAccount[];
  readonly twtAccounts?: readonly SocialAccount[];
}
