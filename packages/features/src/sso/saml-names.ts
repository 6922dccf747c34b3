/** Namespaces and identifiers of SAML 2.0, XML Signature and XML Encryption. */
export const SAML = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  bearer: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  redirectBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  postBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const;

/** The signatures that are accepted, with the kind of key and the digest of each. */
export const SIGNATURE_ALGORITHMS: ReadonlyMap<string, { key: 'rsa' | 'ec'; digest: string }> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', { key: 'rsa', digest: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', { key: 'rsa', digest: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', { key: 'rsa', digest: 'sha512' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', { key: 'ec', digest: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', { key: 'ec', digest: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', { key: 'ec', digest: 'sha512' }],
]);

/** The algorithm of our own signatures, which every identity provider knows. */
export const OWN_SIGNATURE_ALGORITHM = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** The digests that are accepted. */
export const DIGEST_ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
