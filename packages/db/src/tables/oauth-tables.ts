import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** What the OpenID provider stores, by the name of its model in `oidc-provider`. */
export type OauthModel =
  | 'AccessToken'
  | 'AuthorizationCode'
  | 'ClientCredentials'
  | 'DeviceCode'
  | 'Grant'
  | 'Interaction'
  | 'PushedAuthorizationRequest'
  | 'RefreshToken'
  | 'ReplayDetection'
  | 'Session';

/** Codes, tokens, grants and interactions of applications. */
export const defineOauthArtifacts = (v: Vocabulary) =>
  v.table(
    'oauth_artifacts',
    {
      id: v.id(),
      model: v.string<OauthModel>(32),
      /** SHA-256 of its id, which is the token itself for tokens. */
      digest: v.digest(),
      /** The digest of the grant that a code or a token comes from. */
      grantDigest: v.maybe.digest(),
      memberId: v.maybe.reference(),
      /** The consent of a grant. */
      consentId: v.maybe.reference(),
      /** HMAC of the code that a person enters for a device, until they have decided. */
      userCodeDigest: v.maybe.digest(),
      /** Its other facts, encrypted. */
      payload: v.secret(),
      createdAtMs: v.instant(),
      /** When a code or a refresh token was exchanged. */
      consumedAtMs: v.maybe.instant(),
      expiresAtMs: v.instant(),
    },
    [
      unique('finds one by its id', 'model', 'digest'),
      unique('finds a device by the code that a person enters', 'userCodeDigest'),
      index('ends what a grant gave', 'grantDigest'),
      index('ends the grants of a consent', 'consentId'),
      index('erases those of a member', 'memberId'),
      index('removes those that have expired', 'expiresAtMs'),
    ],
  );

/** What members let applications do: one for each member, application and account. */
export const defineConsents = (v: Vocabulary) =>
  v.table(
    'consents',
    {
      id: v.id(),
      memberId: v.reference(),
      applicationId: v.reference(),
      /** The account that the application acts in. Null for one that acts in none. */
      accountId: v.maybe.reference(),
      /** The API of the product that the application calls. Null for this service. */
      resourceId: v.maybe.reference(),
      scopes: v.json<string[]>(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
      /** When the application last called for the member. */
      lastUsedAtMs: v.maybe.instant(),
    },
    [
      index('finds the consents of a member', 'memberId', 'applicationId'),
      index('finds the consents to an application', 'applicationId', 'id'),
      index('finds the consents in an account', 'accountId', 'id'),
    ],
  );

/**
 * Sign-ins to applications that are notified when the session ends (OpenID Connect Back-Channel Logout 1.0): one for each session
 * and application. Ending the session sets `dueAtMs`, which makes it a job.
 */
export const defineApplicationLogins = (v: Vocabulary) =>
  v.table(
    'application_logins',
    {
      id: v.id(),
      applicationId: v.reference(),
      memberId: v.reference(),
      /** The family of sessions that the member signed in with. */
      familyId: v.reference(),
      createdAtMs: v.instant(),
      /** When the session ended. */
      endedAtMs: v.maybe.instant(),
      /** When the application is next notified. Null while the session is open. */
      dueAtMs: v.maybe.instant(),
      failures: v.integer().default(0),
    },
    [
      unique('is one for each session and application', 'familyId', 'applicationId'),
      index('finds the applications of a session that ends', 'memberId', 'familyId'),
      index('finds the applications to tell', 'dueAtMs'),
    ],
  );
