import { namespaceOf, splitName, type XmlElement } from './saml-xml.js';

interface CanonicalOptions {
  /** An element that is left out, as the transform for enveloped signatures does. */
  readonly without?: XmlElement;
  /** Prefixes that are declared although no name has them, as InclusiveNamespaces lists them. */
  readonly inclusivePrefixes: readonly string[];
}

/**
 * The text of an element in Exclusive XML Canonicalization 1.0, which has fewer rules here: there are no comments, processing
 * instructions or document types. An error in it makes good signatures bad, but no bad one good: the text is hashed, and what is
 * read afterwards is this text.
 */
export function canonicalXml(element: XmlElement, options: CanonicalOptions): string {
  return written(element, options, new Map());
}

function written(element: XmlElement, options: CanonicalOptions, outer: ReadonlyMap<string, string>): string {
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
    .filter((each) => each !== 'xml' && namespaceOf(each, scope) !== (outer.get(each) ?? ''))
    .toSorted(byCodePoints)
    .map((each) => [each, namespaceOf(each, scope)] as const);
  const inner = declared.length === 0 ? outer : new Map([...outer, ...declared]);
  const start = [
    ...declared.map(
      ([each, namespace]) => ` ${each === '' ? 'xmlns' : `xmlns:${each}`}="${quoted(namespace)}"`,
    ),
    ...sorted.map(({ attribute, value }) => ` ${attribute}="${quoted(value)}"`),
  ];
  const inside = content.map((part) => {
    if (typeof part === 'string') return escaped(part);
    return part === options.without ? '' : written(part, options, inner);
  });
  return `<${qualifiedName}${start.join('')}>${inside.join('')}</${qualifiedName}>`;
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
