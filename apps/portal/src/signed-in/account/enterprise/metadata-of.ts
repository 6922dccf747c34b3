const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (mark) => MARKS[mark] ?? '');

/** The metadata of an identity provider that shows its values one by one (SAML 2.0 Metadata, 2.3.2 and 2.4.3). */
export function metadataOf({
  entityId = '',
  ssoUrl = '',
  certificate = '',
}: {
  readonly entityId?: string | undefined;
  readonly ssoUrl?: string | undefined;
  /** In PEM or Base64. */
  readonly certificate?: string | undefined;
}): string {
  const base64 = certificate.replaceAll(/-----[^-]*-----|\s/g, '');
  return [
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">`,
    '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>',
    `<X509Certificate>${escaped(base64)}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ',
    `Location="${escaped(ssoUrl)}"/></IDPSSODescriptor></EntityDescriptor>`,
  ].join('');
}
