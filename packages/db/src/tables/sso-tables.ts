import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/** A domain is verified once its record was found, and no longer after days without it. */
export type SsoDomainState = 'pending' | 'verified' | 'lapsed';

/** The domains whose people an account signs in through its identity provider. */
export const defineSsoDomains = (v: Vocabulary) =>
  v.table(
    'sso_domains',
    {
      id: v.id(),
      accountId: v.reference(),
      /** In ASCII. */
      domain: v.key(253),
      /** The same while it is verified, so that it is verified in only one account; null otherwise. */
      verifiedDomain: v.maybe.key(253),
      /** What its DNS record has to contain: 128 random bits, public once it is there. */
      proof: v.string(32),
      state: v.string<SsoDomainState>(8),
      verifiedAtMs: v.maybe.instant(),
      /** When its record is next looked up automatically; null for a domain that was never verified. */
      checkDueAtMs: v.maybe.instant(),
      /** When name servers last said whether its record is there; null for a domain that was never verified. */
      answeredAtMs: v.maybe.instant(),
      /** For how many days in a row its record was not found. */
      failedDays: v.integer().default(0),
      createdById: v.reference(),
      createdAtMs: v.instant(),
    },
    [
      unique('one account has verified a domain; finds it for an address', 'verifiedDomain'),
      unique('lists the domains of an account, each once', 'accountId', 'domain'),
      index('finds the domains to check', 'checkDueAtMs'),
    ],
  );

export type SsoKind = 'oidc' | 'saml';

/** The role in the account for people whose claim has a value. */
export interface SsoRoleRule {
  readonly claim: string;
  readonly value: string;
  readonly roleType: number;
}

/** The rules for the people of a connection of any kind. */
export interface SsoRules {
  readonly roleMap: readonly SsoRoleRule[];
  readonly defaultRole: number;
  readonly justInTime: boolean;
  readonly sessionHours: number;
  /** The level of its sign-ins, in its account. */
  readonly idpLevel: number;
  /** Only for connections of the platform: the domains in which an address identifies a member of staff. */
  readonly domains?: readonly string[];
}

export interface OidcSettings extends SsoRules {
  readonly kind: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

export interface SamlSettings extends SsoRules {
  readonly kind: 'saml';
  /** Where the metadata is read again; null for one that was pasted. */
  readonly metadataUrl: string | null;
  readonly entityId: string;
  /** Where browsers sign in, and out; the latter are null if the metadata has no such address. */
  readonly ssoUrl: string;
  readonly logoutUrl: string | null;
  readonly logoutAnswerUrl: string | null;
  /** Certificates of its signing keys in Base64, as the metadata had them last. */
  readonly certificates: readonly string[];
  readonly allowIdpInitiated: boolean;
}

export type SsoSettings = OidcSettings | SamlSettings;

/** The result of the last fetch of an identity provider's metadata. */
export interface SamlCheck {
  /** What was wrong with it, in words for the owners; null if it was read. */
  readonly problem: string | null;
  /** The expiry of the certificates of which the owners were last warned, and how many days before. */
  readonly warned: { readonly endsAtMs: number; readonly days: number } | null;
}

/** Connections of accounts with their identity providers, and of the platform, whose `accountId` is 0. */
export const defineSsoConnections = (v: Vocabulary) =>
  v.table(
    'sso_connections',
    {
      id: v.id(),
      accountId: v.reference(),
      /** 128 random bits in its addresses. */
      key: v.key(32),
      name: v.string(80),
      kind: v.string<SsoKind>(8),
      /** As they were saved last. */
      settings: v.json<SsoSettings>(),
      /** The encrypted secret that belongs to them; null for a kind without one. */
      secret: v.maybe.secret(),
      /** How often they were changed. */
      version: v.integer(),
      /** The version whose test passed last; null for none. */
      testedVersion: v.maybe.integer(),
      /** The settings by which people sign in; null while the connection is off. */
      live: v.maybe.json<SsoSettings>(),
      liveSecret: v.maybe.secret(),
      /** The version of those. */
      liveVersion: v.maybe.integer(),
      /** Sessions of another epoch are over: it grows when the connection is switched off, or gets another issuer. */
      epoch: v.integer().default(0),
      /** When the metadata of a connection by SAML is next fetched; null for at once. */
      metadataDueAtMs: v.maybe.instant(),
      /** When the last fetch was attempted. */
      metadataTriedAtMs: v.maybe.instant(),
      metadataCheck: v.maybe.json<SamlCheck>(),
      /**
       * When the last certificate of its identity provider expires, in the settings by which people sign in, or would; null
       * without any.
       */
      certificatesEndAtMs: v.maybe.instant(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [
      unique('finds the connection of an address', 'key'),
      index(
        'lists the connections of all accounts by the end of their certificates',
        'certificatesEndAtMs',
        'id',
      ),
      index('finds the metadata to look at', 'kind', 'metadataDueAtMs'),
      index('lists the connections of an account', 'accountId', 'id'),
    ],
  );

/** The members that the subjects of identity providers stand for. */
export const defineSsoSubjects = (v: Vocabulary) =>
  v.table(
    'sso_subjects',
    {
      id: v.id(),
      connectionId: v.reference(),
      accountId: v.reference(),
      /** SHA-256 of the issuer and the subject: another issuer's subjects are other people. */
      subjectKey: v.digest(),
      /** As the provider names them, for its logouts. */
      subject: v.string(512),
      memberId: v.reference(),
      /** When the member agreed that its sessions reach all of their accounts; null if they did not. */
      consentedAtMs: v.maybe.instant(),
      createdAtMs: v.instant(),
      lastSignInAtMs: v.instant(),
    },
    [
      unique('one member for a subject', 'connectionId', 'subjectKey'),
      index('lists the subjects of a member', 'memberId', 'accountId'),
      index('erases the subjects of an account', 'accountId', 'id'),
    ],
  );

/** Sign-ins by an identity provider. The sessions that follow from one name it. */
export const defineSsoLogins = (v: Vocabulary) =>
  v.table(
    'sso_logins',
    {
      id: v.id(),
      connectionId: v.reference(),
      accountId: v.reference(),
      subjectId: v.reference(),
      memberId: v.reference(),
      /** The epoch of the connection. */
      epoch: v.integer(),
      /** The level that it has in the account. */
      level: v.integer(),
      /** When its sessions end at the latest. */
      untilMs: v.instant(),
      /** SHA-256 of the provider's own name of its session; null if it gave none. */
      providerSessionKey: v.maybe.digest(),
      /**
       * Where the browser signs out of the provider or, for SAML, whom it signs out; null if the provider has no such address.
       */
      logoutUrl: v.maybe.text(),
      createdAtMs: v.instant(),
    },
    [
      index("ends the sessions of a provider's session", 'connectionId', 'providerSessionKey'),
      index('ends the sessions of a subject', 'subjectId', 'id'),
      index('erases the sign-ins of a member', 'memberId', 'id'),
      index('removes sign-ins whose sessions are over', 'untilMs'),
      index('erases the sign-ins of an account', 'accountId', 'id'),
    ],
  );

export type SsoRunPurpose = 'test' | 'result' | 'used';

/**
 * Tests of a connection, contents of cross-site responses until the browser has proven that it asked, and messages that may be
 * used once.
 */
export const defineSsoRuns = (v: Vocabulary) =>
  v.table(
    'sso_runs',
    {
      id: v.id(),
      codeKey: v.digest(),
      purpose: v.string<SsoRunPurpose>(8),
      connectionId: v.reference(),
      accountId: v.reference(),
      /** The version of the settings that it is about. */
      version: v.integer(),
      /** The member who tests; null for a result. */
      memberId: v.maybe.reference(),
      /** Encrypted. */
      payload: v.maybe.secret(),
      createdAtMs: v.instant(),
      expiresAtMs: v.instant(),
    },
    [
      unique('finds the run of a code', 'codeKey'),
      index('removes runs that are over', 'expiresAtMs'),
      index('erases the runs of an account', 'accountId', 'id'),
    ],
  );
