import { SAML } from './saml-names.js';
import { escapeXml } from './saml-xml.js';

/** The addresses of a connection. */
export interface SamlUrls {
  readonly entityId: string;
  readonly acsUrl: string;
  readonly logoutUrl: string;
}

/** The metadata that an identity provider reads. Each key is published before it signs, and after. */
export function ownSamlMetadata(
  { entityId, acsUrl, logoutUrl }: SamlUrls,
  certificates: readonly string[],
): string {
  const keys = ['signing', 'encryption'].flatMap((use) =>
    certificates.map(
      (certificate) =>
        `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${SAML.signature}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    ),
  );
  const logout = [SAML.redirectBinding, SAML.postBinding].map(
    (binding) => `<md:SingleLogoutService Binding="${binding}" Location="${escapeXml(logoutUrl)}"/>`,
  );
  // Some identity providers choose the first; any other would give people a new name at each sign-in.
  const names = [SAML.persistent, SAML.emailAddress].map(
    (format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<md:EntityDescriptor xmlns:md="${SAML.metadata}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${SAML.protocol}">`,
    ...keys,
    ...logout,
    ...names,
    `<md:AssertionConsumerService Binding="${SAML.postBinding}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>`,
    '</md:SPSSODescriptor></md:EntityDescriptor>\n',
  ].join('');
}
