import { MAX_MESSAGE_BYTES, namespaceOf, splitName, type XmlElement, XmlRefused } from './saml-xml.js';

/** Namespaces are declared again at each use, so the text may grow; that of an honest message hardly does. */
const MAX_LENGTH = 2 * MAX_MESSAGE_BYTES;

interface CanonicalOptions {
  /** An element that is left out, as by the transform for enveloped signatures. */
  readonly without?: XmlElement;
  /** Prefixes that are declared although no name has them, as InclusiveNamespaces lists them. */
  readonly inclusivePrefixes: readonly string[];
}

/**
 * The text of an element in Exclusive XML Canonicalization 1.0, which has fewer rules here: there are no comments, processing
 * instructions or document types. An error in it would make valid signatures invalid, but no invalid one valid: the text is
 * hashed, and only this text is read afterwards.
 * @throws {XmlRefused} for an element whose text grows too long, as soon as it does
 */
export function canonicalXml(element: XmlElement, options: CanonicalOptions): string {
  const parts: string[] = [];
  let length = 0;
  const write = (part: string) => {
    length += part.length;
    if (length > MAX_LENGTH) throw new XmlRefused('Its canonical form is too long.');
    parts.push(part);
  };
  writeElement(element, { options, write, outer: [] });
  return parts.join('');
}

function writeElement(
  element: XmlElement,
  {
    options,
    write,
    outer,
  }: { options: CanonicalOptions; write: (part: string) => void; outer: XmlElement['scope'] },
): void {
  const { prefix, name, attributes, content, scope } = element;
  const qualifiedName = prefix === '' ? name : `${prefix}:${name}`;
  const sorted = [...attributes]
    .map(([attribute, value]) => ({ attribute, value, ...expanded(attribute, scope) }))
    .toSorted((a, b) => byCodePoints(a.namespace, b.namespace) || byCodePoints(a.local, b.local));
  const used = new Set([
    prefix,
    ...sorted.map((each) => each.prefix).filter((each) => each !== ''),
    ...options.inclusivePrefixes.filter((each) => scope.some((declared) => declared.has(each))),
  ]);
  const declared = [...used]
    .filter((each) => each !== 'xml' && namespaceOf(each, scope) !== declaredIn(outer, each))
    .toSorted(byCodePoints)
    .map((each) => [each, namespaceOf(each, scope)] as const);
  const inner = declared.length === 0 ? outer : [...outer, new Map(declared)];
  write(`<${qualifiedName}`);
  for (const [each, namespace] of declared)
    write(` ${each === '' ? 'xmlns' : `xmlns:${each}`}="${quoted(namespace)}"`);
  for (const { attribute, value } of sorted) write(` ${attribute}="${quoted(value)}"`);
  write('>');
  for (const part of content)
    if (typeof part === 'string') write(escaped(part));
    else if (part !== options.without) writeElement(part, { options, write, outer: inner });
  write(`</${qualifiedName}>`);
}

/** The namespace of a prefix in the text around an element; empty for none. */
function declaredIn(outer: XmlElement['scope'], prefix: string): string {
  return outer.findLast((each) => each.has(prefix))?.get(prefix) ?? '';
}

function expanded(attribute: string, scope: XmlElement['scope']) {
  const [prefix, local] = splitName(attribute);
  return { prefix, local, namespace: prefix === '' ? '' : namespaceOf(prefix, scope) };
}

/** UTF-16 orders as code points do, but for characters that names of namespaces do not have. */
function byCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;');
}

function quoted(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');
}
