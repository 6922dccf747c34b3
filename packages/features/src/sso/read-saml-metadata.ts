import { isCallableUrl } from '@gatehouse/runtime/network/guarded-client';
import { readSamlKey } from './saml-key.js';
import { SAML } from './saml-names.js';
import { childrenOf, readXml, type XmlElement, XmlRefused } from './saml-xml.js';

/** Longer metadata is not read. */
export const MAX_METADATA_BYTES = 512 * 1024;

export const MAX_KEYS = 4;

/** The maximum length of an entityID (SAML 2.0 Metadata, 2.3.2). */
const MAX_ENTITY_ID = 1_024;

/** What is known of an identity provider from its metadata. */
export interface SamlMetadata {
  readonly entityId: string;
  /** Where a browser begins to sign in, by the redirect binding. */
  readonly ssoUrl: string;
  /** Where a browser signs out, by the redirect binding; null if it names no such address. */
  readonly logoutUrl: string | null;
  /** Where it takes our answers to its logouts; null without logout. */
  readonly logoutAnswerUrl: string | null;
  /** Certificates of its signing keys, in Base64. */
  readonly certificates: readonly string[];
}

/**
 * Reads the metadata of one identity provider. Its own dates and its signature are ignored: it is trusted because of the address
 * it came from.
 * @throws {XmlRefused} with what is wrong, in words for the owner of a connection
 */
export function readSamlMetadata(text: string, { isProduction }: { isProduction: boolean }): SamlMetadata {
  const root = readXml(text.replace(/^\uFEFF/, ''), { maxBytes: MAX_METADATA_BYTES, allowsComments: true });
  if (root.namespace !== SAML.metadata || root.name !== 'EntityDescriptor')
    throw new XmlRefused('It is not the metadata of one identity provider.');
  const entityId = root.attributes.get('entityID') ?? '';
  if (entityId === '' || entityId.length > MAX_ENTITY_ID)
    throw new XmlRefused('It does not name the identity provider.');
  const [role, ...others] = childrenOf(root, SAML.metadata, 'IDPSSODescriptor');
  if (role === undefined || others.length > 0)
    throw new XmlRefused('It does not describe one identity provider.');
  const isUrl = (url: string) => url.length <= 2_000 && isCallableUrl(url, isProduction);
  const ssoUrl = endpointOf(role, 'SingleSignOnService')?.url;
  if (ssoUrl === undefined || !isUrl(ssoUrl))
    throw new XmlRefused('It has no address of https to sign in at, for the binding HTTP-Redirect.');
  const logout = endpointOf(role, 'SingleLogoutService');
  if (logout !== undefined && !(isUrl(logout.url) && isUrl(logout.answerUrl)))
    throw new XmlRefused('Its address to sign out at is not one of https.');
  return {
    entityId,
    ssoUrl,
    logoutUrl: logout?.url ?? null,
    logoutAnswerUrl: logout?.answerUrl ?? null,
    certificates: certificatesOf(role),
  };
}

function endpointOf(role: XmlElement, name: string): { url: string; answerUrl: string } | undefined {
  const [endpoint] = childrenOf(role, SAML.metadata, name).filter(
    ({ attributes }) => attributes.get('Binding') === SAML.redirectBinding,
  );
  const url = endpoint?.attributes.get('Location');
  if (url === undefined) return undefined;
  return { url, answerUrl: endpoint?.attributes.get('ResponseLocation') ?? url };
}

function certificatesOf(role: XmlElement): string[] {
  const stated = childrenOf(role, SAML.metadata, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((each) => childrenOf(each, SAML.signature, 'KeyInfo'))
    .flatMap((each) => childrenOf(each, SAML.signature, 'X509Data'))
    .flatMap((each) => childrenOf(each, SAML.signature, 'X509Certificate'))
    .map(({ text }) => text.replaceAll(/\s/g, ''));
  const certificates = [...new Set(stated)];
  if (certificates.length > MAX_KEYS) throw new XmlRefused(`It has more than ${MAX_KEYS} signing keys.`);
  const usable = certificates.filter((certificate) => readSamlKey(certificate) !== undefined);
  if (usable.length === 0)
    throw new XmlRefused('It has no signing key of RSA with 2,048 bits or more, or ECDSA.');
  return usable;
}
