import { isVisible, MAX_REDIRECT_URI_LENGTH, storableText } from '@gatehouse/auth-core';
import type { ApplicationRow, ApplicationSecretRow } from '@gatehouse/db/queries/applications';
import { z } from 'zod';
import { keySet } from './client-keys.js';

const MAX_NAME_LENGTH = 80;
const MAX_URIS = 20;
const MAX_SCOPES = 250;
const MAX_RESOURCES = 20;

export const applicationId = z.int().positive();

export const applicationType = z.enum(['web', 'spa', 'native', 'machine', 'device']);

const subjectType = z.enum(['public', 'pairwise']);

const uri = z.string().min(1).max(MAX_REDIRECT_URI_LENGTH);

const uris = z.array(uri).max(MAX_URIS);

/** The fields of an application. Fields that a change leaves out stay unchanged. */
export const applicationFields = {
  name: storableText(MAX_NAME_LENGTH)
    .refine(isVisible, { message: 'must contain something visible' })
    .optional(),
  /** Where it runs. It never changes. */
  type: applicationType.optional(),
  redirectUris: uris.optional(),
  postLogoutRedirectUris: uris.optional(),
  backchannelLogoutUri: uri.nullable().optional(),
  /** Public keys (RFC 7517). With them it signs in by `private_key_jwt`, and its secrets are not accepted. */
  jwks: keySet.nullable().optional(),
  /** Where such keys are. */
  jwksUri: uri.nullable().optional(),
  scopes: z.array(z.string().max(64)).max(MAX_SCOPES).optional(),
  resources: z.array(z.string().max(320)).max(MAX_RESOURCES).optional(),
  subjectType: subjectType.optional(),
  active: z.boolean().optional(),
  /** The machine that an application of type `machine` acts as. */
  machineId: z.int().positive().nullable().optional(),
};

/** The fields of an application of the deployment. */
export const platformApplicationFields = {
  ...applicationFields,
  /** Whether members are not asked for consent. */
  skipConsent: z.boolean().optional(),
  /** Whether it may ask for a code without PKCE, which only type `web` may. */
  pkceExempt: z.boolean().optional(),
};

const wanted = z.object(platformApplicationFields);

export type WantedApplication = z.output<typeof wanted> & { readonly applicationId?: number | undefined };

/** An application that people sign in to through the service. */
export const applicationView = z
  .object({
    id: z.int(),
    clientId: z.string(),
    name: z.string(),
    type: applicationType,
    redirectUris: z.array(z.string()).max(MAX_URIS),
    postLogoutRedirectUris: z.array(z.string()).max(MAX_URIS),
    backchannelLogoutUri: z.string().nullable(),
    jwks: keySet.nullable(),
    jwksUri: z.string().nullable(),
    scopes: z.array(z.string()).max(MAX_SCOPES),
    resources: z.array(z.string()).max(MAX_RESOURCES),
    subjectType,
    active: z.boolean(),
    /** Whether staff stopped it. Until they allow it again, it cannot be activated. */
    blocked: z.boolean(),
    machineId: z.int().nullable(),
    createdById: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Application' });

/** An application as staff see it. */
export const platformApplicationView = applicationView
  .extend({ skipConsent: z.boolean(), pkceExempt: z.boolean() })
  .meta({ id: 'PlatformApplication' });

export function toApplicationView(row: ApplicationRow): z.output<typeof platformApplicationView> {
  const { accountId: _, type, jwks, createdAtMs, ...same } = row;
  return {
    ...same,
    type: applicationType.parse(type),
    jwks: jwks && { keys: jwks.keys.map((key) => ({ ...key })) },
    createdAt: new Date(createdAtMs).toISOString(),
  };
}

/** What an application authenticates with, without the secret itself. */
export const secretView = z
  .object({
    id: z.int(),
    /** The first characters of the secret. */
    start: z.string(),
    createdById: z.int(),
    createdAt: z.iso.datetime(),
    /** True to the minute. */
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApplicationSecret' });

export function toSecretView(row: ApplicationSecretRow): z.output<typeof secretView> {
  const { id, start, createdById, createdAtMs, lastUsedAtMs } = row;
  return {
    id,
    start,
    createdById,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
  };
}
