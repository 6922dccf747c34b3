import { personNameSchema, storableText, vouchedAddress } from '@gatehouse/auth-core';
import { z } from 'zod';

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

interface SocialAccountLists {
  readonly fbAccounts?: readonly SocialAccount[];
  readonly igAccounts?: readonly SocialAccount[];
  readonly lnAccounts?: readonly SocialAccount[];
  readonly twtAccounts?: readonly SocialAccount[];
}

const MAX_ID_LENGTH = 200;

/** A provider's id, as text or a number. */
export const profileId = z
  .union([z.string(), z.number().int().nonnegative().transform(String)])
  .pipe(storableText(MAX_ID_LENGTH));

/** A name, cut to our length; anything else is treated as absent. */
export const profileName = z
  .string()
  .transform((text) =>
    text
      .trim()
      .slice(0, 100)
      .replace(/[\uD800-\uDBFF]$/, ''),
  )
  .pipe(personNameSchema)
  .nullish()
  .transform((name) => name ?? null)
  .catch(null);

/** An address, in its canonical form; one that is not in that form at the provider is treated as absent. */
export const profileEmail = z
  .string()
  .nullish()
  .transform((email) => vouchedAddress(email ?? '') ?? null)
  .catch(null);

/** A picture's address; anything but https is treated as absent. */
export const profilePicture = z
  .url({ protocol: /^https$/ })
  .max(1000)
  .nullish()
  .transform((url) => url ?? null)
  .catch(null);

/** A flag that only `true`, as a boolean or text, sets. */
export const profileFlag = z
  .union([z.literal(true), z.literal('true')])
  .transform(() => true)
  .catch(false);

const userInfo = z.object({
  sub: profileId,
  name: profileName,
  given_name: profileName,
  family_name: profileName,
  picture: profilePicture,
  email: profileEmail,
  email_verified: profileFlag,
});

/** Reads the standard claims of OpenID Connect Core 1.0, section 5.1, from Google and LinkedIn. */
export function readUserInfo(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = userInfo.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { sub, name, given_name, family_name, picture, email, email_verified } = parsed.data;
  return {
    providerUserId: sub,
    email,
    emailVerified: email !== null && email_verified,
    displayName: name,
    firstName: given_name,
    lastName: family_name,
    username: null,
    pictureUrl: picture,
    accounts: {},
  };
}
