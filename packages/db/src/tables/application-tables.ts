import type { Vocabulary } from '../dialect/mysql/mysql-vocabulary.js';
import { index, unique } from '../dialect/table-indexes.js';

/**
 * Where an application runs, which decides whether it can keep a secret. One of type `document` is not registered: a document at its
 * client id describes it.
 */
export type ApplicationType = 'web' | 'spa' | 'native' | 'machine' | 'device' | 'document';

/** Whether all applications see one id of a member, or each its own (OpenID Connect Core, section 8). */
export type SubjectType = 'public' | 'pairwise';

/** Public keys (RFC 7517) with which an application proves its identity. */
export interface StoredKeySet {
  readonly keys: readonly { readonly kty: string; readonly kid?: string | undefined }[];
}

/** Applications that people sign in to through the service, or that act for them. */
export const defineApplications = (v: Vocabulary) =>
  v.table(
    'applications',
    {
      id: v.id(),
      /** How it names itself (RFC 6749, section 2.2); for type `document` the address of the document. */
      clientId: v.key(200),
      /** The account that publishes it, whose members it admits. Null for one of the deployment, and for type `document`. */
      accountId: v.maybe.reference(),
      name: v.string(80),
      type: v.string<ApplicationType>(8),
      redirectUris: v.json<string[]>(),
      postLogoutRedirectUris: v.json<string[]>(),
      backchannelLogoutUri: v.maybe.string(512),
      /** If it has its own keys, or a URL of them, its secrets are not accepted (RFC 7523, section 2.2). */
      jwks: v.maybe.json<StoredKeySet>(),
      jwksUri: v.maybe.string(512),
      /** The scopes that it may ask for. */
      scopes: v.json<string[]>(),
      /** The origins of the APIs that it may ask tokens for. */
      resources: v.json<string[]>(),
      subjectType: v.string<SubjectType>(8),
      active: v.flag(),
      /** Whether staff stopped it: then it is not active, and its account cannot activate it. */
      blocked: v.flag(),
      /** Whether members are not asked for consent. Never true for an application of an account. */
      skipConsent: v.flag(),
      /** Whether it may ask for a code without PKCE. Only true for type `web` of the deployment. */
      pkceExempt: v.flag(),
      /** The machine that it acts as, if it is of type `machine`. */
      machineId: v.maybe.reference(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
      removedAtMs: v.maybe.instant(),
    },
    [
      unique('finds the application of a request', 'clientId'),
      index('lists the applications of an account', 'accountId', 'removedAtMs', 'id'),
      index('counts the client documents of a member', 'createdById', 'type'),
    ],
  );

/** What applications authenticate with. */
export const defineApplicationSecrets = (v: Vocabulary) =>
  v.table(
    'application_secrets',
    {
      id: v.id(),
      applicationId: v.reference(),
      /** The first characters of the secret, for lists. */
      start: v.string(12),
      /** SHA-256 of the secret. */
      digest: v.digest(),
      createdById: v.reference(),
      createdAtMs: v.instant(),
      /** True to the minute. */
      lastUsedAtMs: v.maybe.instant(),
    },
    [index('lists the secrets of an application', 'applicationId', 'id')],
  );

/** Hosts whose documents describe no application here, because staff blocked them. */
export const defineBlockedClientHosts = (v: Vocabulary) =>
  v.table(
    'blocked_client_hosts',
    {
      id: v.id(),
      host: v.key(255),
      createdById: v.reference(),
      createdAtMs: v.instant(),
    },
    [unique('blocks a host once', 'host')],
  );
