import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalXml } from './canonical-xml.js';
import { isSignedBy } from './saml-key.js';
import { DIGEST_ALGORITHMS, SAML, SIGNATURE_ALGORITHMS } from './saml-names.js';
import { childrenOf, elementsIn, readXml, type XmlElement } from './saml-xml.js';

/** Why an element is not regarded as signed, in words for the owner of a connection. */
export class SignatureRefused extends Error {
  override readonly name = 'SignatureRefused';
}

/**
 * Returns a signed element of a document, parsed again from exactly the bytes whose digest is signed, without its signature.
 * Nothing else of the document has any effect.
 * @throws {SignatureRefused} unless the element has one enveloped signature, made by one of the keys over itself and nothing else
 */
export function readSignedElement(
  root: XmlElement,
  { element, keys }: { element: XmlElement; keys: readonly KeyObject[] },
): XmlElement {
  requireUniqueIds(root);
  const signature = ownSignature(root, element);
  const signedInfo = readSignedInfo(signature, keys);
  const reference = only(signedInfo, 'Reference');
  const bytes = canonicalXml(element, {
    without: signature,
    inclusivePrefixes: checkReference(reference, element),
  });
  const digest = createHash(digestOf(reference)).update(bytes).digest();
  const stated = base64Of(only(reference, 'DigestValue'));
  if (digest.length !== stated.length || !timingSafeEqual(digest, stated))
    throw new SignatureRefused('What is signed was changed.');
  return readXml(bytes);
}

/** The names under which any library might look for identifiers. */
function requireUniqueIds(root: XmlElement): void {
  const ids = elementsIn(root).flatMap(({ attributes }) =>
    [...attributes].filter(([name]) => /^(?:.*:)?id$/i.test(name)).map(([, value]) => value),
  );
  if (new Set(ids).size < ids.length) throw new SignatureRefused('Two elements have one ID.');
}

function ownSignature(root: XmlElement, element: XmlElement): XmlElement {
  const [signature, ...others] = elementsIn(element).filter(({ name }) => name === 'Signature');
  if (signature === undefined) {
    const isAround = childrenOf(root, SAML.signature, 'Signature').length > 0;
    throw new SignatureRefused(
      isAround ? 'The response is signed, and its assertion is not.' : 'It is not signed.',
    );
  }
  if (others.length > 0 || !element.children.includes(signature) || signature.namespace !== SAML.signature)
    throw new SignatureRefused('It has a signature that is not its own.');
  const parts = signature.children.map(({ namespace, name }) => `${namespace}${name}`);
  const expected = ['SignedInfo', 'SignatureValue', 'KeyInfo'].map((name) => `${SAML.signature}${name}`);
  // KeyInfo is never read: the keys are those of the connection.
  if (parts.length < 2 || parts.join(' ') !== expected.slice(0, parts.length).join(' '))
    throw new SignatureRefused('The signature has other parts than a value and its key.');
  return signature;
}

/** The signed content, parsed again from the bytes that one of the keys signed. */
function readSignedInfo(signature: XmlElement, keys: readonly KeyObject[]): XmlElement {
  const signedInfo = only(signature, 'SignedInfo');
  requireShape(signedInfo);
  const method = only(signedInfo, 'CanonicalizationMethod');
  if (algorithmOf(method) !== SAML.exclusive)
    throw new SignatureRefused('The signature does not use Exclusive XML Canonicalization.');
  const algorithm = algorithmOf(only(signedInfo, 'SignatureMethod'));
  if (!SIGNATURE_ALGORITHMS.has(algorithm))
    throw new SignatureRefused(`The signature uses ${algorithm}, not RSA or ECDSA with SHA-256 or more.`);
  const bytes = canonicalXml(signedInfo, { inclusivePrefixes: inclusivePrefixes(method) });
  const value = base64Of(only(signature, 'SignatureValue'));
  const signed = { content: Buffer.from(bytes), signature: value };
  if (!keys.some((key) => isSignedBy(key, algorithm, signed)))
    throw new SignatureRefused('No key of the identity provider made the signature.');
  return readXml(bytes);
}

/** A reference with two transforms, each method with its list of prefixes. */
const MAX_SIGNED_INFO_ELEMENTS = 11;

/** Anybody can send one, so it must be as small as possible before any work is done for it. */
function requireShape(signedInfo: XmlElement): void {
  if (signedInfo.children.length !== 3)
    throw new SignatureRefused('The signature does not have one reference.');
  if (elementsIn(signedInfo).length > MAX_SIGNED_INFO_ELEMENTS)
    throw new SignatureRefused('The signature has more parts than it needs.');
}

/** The inclusive prefixes of a reference, once it is one to the element. */
function checkReference(reference: XmlElement, element: XmlElement): string[] {
  const id = element.attributes.get('ID') ?? '';
  if (id === '' || reference.attributes.get('URI') !== `#${id}`)
    throw new SignatureRefused('The signature is over another element.');
  const [enveloped, exclusive, ...others] = only(reference, 'Transforms').children;
  const isAccepted =
    enveloped !== undefined &&
    algorithmOf(enveloped) === SAML.enveloped &&
    exclusive !== undefined &&
    algorithmOf(exclusive) === SAML.exclusive &&
    others.length === 0;
  if (!isAccepted)
    throw new SignatureRefused('The signature has other transforms than enveloped and exclusive.');
  return inclusivePrefixes(exclusive);
}

const MAX_PREFIXES = 20;

function inclusivePrefixes(method: XmlElement): string[] {
  const [list, ...others] = method.children;
  if (list === undefined) return [];
  if (others.length > 0 || list.namespace !== SAML.exclusive || list.name !== 'InclusiveNamespaces')
    throw new SignatureRefused('The signature has a transform with unknown parts.');
  const listed = new Set((list.attributes.get('PrefixList') ?? '').split(/[ \t\r\n]+/).filter(Boolean));
  if (listed.size > MAX_PREFIXES)
    throw new SignatureRefused(`The signature lists more than ${MAX_PREFIXES} prefixes.`);
  return [...listed].map((prefix) => (prefix === '#default' ? '' : prefix));
}

function digestOf(reference: XmlElement): string {
  const algorithm = algorithmOf(only(reference, 'DigestMethod'));
  const digest = DIGEST_ALGORITHMS.get(algorithm);
  if (digest === undefined)
    throw new SignatureRefused(`The signature uses the digest ${algorithm}, not SHA-256 or more.`);
  return digest;
}

function only(parent: XmlElement, name: string): XmlElement {
  const [first, ...others] = childrenOf(parent, SAML.signature, name);
  if (first === undefined || others.length > 0)
    throw new SignatureRefused(`The signature does not have one ${name}.`);
  return first;
}

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? '';

function base64Of({ text }: XmlElement): Buffer {
  if (!/^[A-Za-z0-9+/= \t\r\n]*$/.test(text))
    throw new SignatureRefused('The signature has a value that is not Base64.');
  return Buffer.from(text, 'base64');
}
