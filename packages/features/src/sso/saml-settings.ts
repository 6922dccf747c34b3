import { AppError } from '@gatehouse/auth-core';
import type { SamlSettings } from '@gatehouse/db/tables/sso-tables';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { rulesFrom, rulesInput } from './connection-rules.js';
import type { StoredSettings } from './connection-secrets.js';
import { fetchSamlMetadata } from './fetch-saml-metadata.js';
import { MAX_METADATA_BYTES, readSamlMetadata, type SamlMetadata } from './read-saml-metadata.js';
import { XmlRefused } from './saml-xml.js';

export const samlInput = z.object({
  /** The one to change. Without it a new one is added, which needs a name and metadata. */
  connectionId: z.int().positive().optional(),
  /** Of a new one: the `key` of `next` in `sso.list`, whose addresses the identity provider has. */
  key: z.string().max(64).optional(),
  name: z.string().trim().min(1).max(80).optional(),
  /** Where the metadata of the identity provider is, which is then read daily. */
  metadataUrl: z.string().max(2_000).optional(),
  /** The metadata itself, in place of its address. */
  metadataXml: z.string().min(1).max(MAX_METADATA_BYTES).optional(),
  /** Whether a sign-in may begin at the identity provider. It then starts over here, without a question. */
  allowIdpInitiated: z.boolean().optional(),
  ...rulesInput,
});

export type SamlInput = z.output<typeof samlInput>;

/** The metadata that a change names; undefined if it names none. */
export interface GivenMetadata {
  readonly metadataUrl: string | null;
  readonly metadata: SamlMetadata;
}

/**
 * Reads the metadata that a change names.
 * @throws {AppError} `url_not_allowed`; `invalid_input`, with what is wrong in words, for metadata that cannot be used
 */
export async function givenMetadata(
  services: Pick<Services, 'outbound' | 'config'>,
  { metadataUrl, metadataXml }: Pick<SamlInput, 'metadataUrl' | 'metadataXml'>,
): Promise<GivenMetadata | undefined> {
  if (metadataUrl !== undefined && metadataXml !== undefined)
    throw refused('metadataXml', 'cannot be sent with metadataUrl');
  if (metadataUrl !== undefined) {
    if (!(await services.outbound.accepts(metadataUrl, 'public'))) throw new AppError('url_not_allowed');
    const fetched = await fetchSamlMetadata(services, metadataUrl);
    if ('problem' in fetched) throw refused('metadataUrl', fetched.problem);
    return { metadataUrl, metadata: fetched.metadata };
  }
  if (metadataXml === undefined) return undefined;
  try {
    const isProduction = services.config.NODE_ENV === 'production';
    return { metadataUrl: null, metadata: readSamlMetadata(metadataXml, { isProduction }) };
  } catch (error) {
    if (error instanceof XmlRefused) throw refused('metadataXml', error.message);
    throw error;
  }
}

function refused(path: string, message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path, message }] });
}

/**
 * The settings of a connection by SAML after a change, with its own encrypted keys.
 * @throws {AppError} `invalid_input`
 */
export function samlSettingsFrom(
  services: Pick<Services, 'roles'>,
  input: SamlInput,
  {
    given,
    before,
    secret,
  }: { given: GivenMetadata | undefined; before: StoredSettings | undefined; secret: string },
): StoredSettings & { settings: SamlSettings } {
  const known = before?.settings.kind === 'saml' ? before.settings : undefined;
  const metadata = given === undefined ? known : { ...given.metadata, metadataUrl: given.metadataUrl };
  if (metadata === undefined) throw refused('metadataUrl', 'is missing');
  const { metadataUrl, entityId, ssoUrl, logoutUrl, logoutAnswerUrl, certificates } = metadata;
  const { allowIdpInitiated = known?.allowIdpInitiated ?? false } = input;
  const provider = { metadataUrl, entityId, ssoUrl, logoutUrl, logoutAnswerUrl, certificates };
  return {
    settings: { kind: 'saml', ...provider, allowIdpInitiated, ...rulesFrom(services, input, known) },
    secret,
  };
}
