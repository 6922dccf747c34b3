/** A message of a stranger may be at most this large, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 96 * 1024;

const MAX_ELEMENTS = 2_000;
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 40;

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** An element as it was sent. */
export interface XmlElement {
  readonly namespace: string;
  /** Empty for the default namespace, and for none. */
  readonly prefix: string;
  /** Without its prefix. */
  readonly name: string;
  /** Attributes without a prefix by name, others as `prefix:name`; declarations of namespaces are not among them. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements and text in their order. */
  readonly content: readonly (XmlElement | string)[];
  readonly children: readonly XmlElement[];
  /** The text of the element itself, without its children's. */
  readonly text: string;
  /** The namespaces that its ancestors and it declare, by prefix, outermost first. */
  readonly scope: readonly ReadonlyMap<string, string>[];
}

/** Text that is no document of the kind that is read here, with the reason in words for the owner of a connection. */
export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
}

interface OpenElement {
  readonly qualifiedName: string;
  readonly element: XmlElement & {
    readonly content: (XmlElement | string)[];
    readonly children: XmlElement[];
    text: string;
  };
  hasComment?: true;
}

const NAME = /(?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*/y;
const SPACE = /[ \t\r\n]*/y;
const DECLARATION =
  /^(?:<\?xml[ \t\r\n]+version=(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding=(?:"utf-8"|'utf-8'))?(?:[ \t\r\n]+standalone=(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>)?/i;
const FORBIDDEN_CHARACTER = /[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/u;

interface XmlOptions {
  readonly maxBytes?: number;
  readonly allowsComments?: boolean;
}

/**
 * Reads the XML that SAML needs: elements, attributes and text. Comments, CDATA sections, document types and processing
 * instructions are refused, so that a value has one reading. It takes time in proportion to the length.
 *
 * @param options.allowsComments for documents whose signatures are not read: comments between elements are left out, and those within a
 * text refused
 * @throws {XmlRefused} for anything else, and beyond the limits
 */
export function readXml(
  text: string,
  { maxBytes = MAX_MESSAGE_BYTES, allowsComments = false }: XmlOptions = {},
): XmlElement {
  if (Buffer.byteLength(text) > maxBytes) throw new XmlRefused(`It is larger than ${maxBytes} bytes.`);
  const start = DECLARATION.exec(text)?.[0].length ?? 0;
  const isOther = allowsComments ? /<!(?!--)/.test(text) : text.includes('<!');
  if (isOther) throw new XmlRefused('It has a document type, a comment or a CDATA section.');
  if (text.includes('<?', start)) throw new XmlRefused('It has a processing instruction.');
  if (FORBIDDEN_CHARACTER.test(text)) throw new XmlRefused('It has a character that XML does not have.');
  return readElements(text, start);
}

function readElements(text: string, start: number): XmlElement {
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let at = start;
  while (at < text.length) {
    const tagAt = text.indexOf('<', at);
    const between = text.slice(at, tagAt === -1 ? text.length : tagAt);
    const parent = open.at(-1);
    if (parent !== undefined) addText(parent, between);
    else if (/[^ \t\r\n]/.test(between)) throw new XmlRefused('It has text outside of its root.');
    if (tagAt === -1) break;
    if (text[tagAt + 1] === '!') {
      if (parent !== undefined) parent.hasComment = true;
      at = skipComment(text, tagAt);
      continue;
    }
    if (text[tagAt + 1] === '/') {
      at = readEndTag(text, tagAt + 2, open.pop());
      continue;
    }
    elements += 1;
    if (elements > MAX_ELEMENTS) throw new XmlRefused(`It has more than ${MAX_ELEMENTS} elements.`);
    if (open.length === MAX_DEPTH) throw new XmlRefused(`Its elements are nested deeper than ${MAX_DEPTH}.`);
    if (open.length === 0 && root !== undefined) throw new XmlRefused('It has two roots.');
    const tag = readStartTag(text, tagAt + 1, parent?.element.scope ?? []);
    root ??= tag.opened.element;
    parent?.element.children.push(tag.opened.element);
    parent?.element.content.push(tag.opened.element);
    if (!tag.isEmpty) open.push(tag.opened);
    at = tag.at;
  }
  if (root === undefined || open.length > 0) throw new XmlRefused('It has an element without its end.');
  return root;
}

function addText({ element }: OpenElement, sent: string): void {
  if (sent === '') return;
  if (sent.includes(']]>')) throw new XmlRefused('It has the end of a CDATA section.');
  const text = readCharacters(sent.replaceAll(/\r\n?/g, '\n'));
  element.content.push(text);
  element.text += text;
}

/** Only documents in which comments are allowed have one here. */
function skipComment(text: string, start: number): number {
  const end = text.indexOf('--', start + 4);
  if (end === -1 || text[end + 2] !== '>') throw new XmlRefused('It has a comment without its end.');
  return end + 3;
}

function readEndTag(text: string, at: number, opened: OpenElement | undefined): number {
  const [name, after] = readName(text, at);
  const end = skipSpace(text, after);
  if (name !== opened?.qualifiedName || text[end] !== '>')
    throw new XmlRefused('It has an end tag without its start tag.');
  // Parsers differ in how they read such a text: up to the comment, or all of it.
  if (opened.hasComment && trimmedText(opened.element) !== '')
    throw new XmlRefused('It has a comment within a text.');
  return end + 1;
}

function readStartTag(
  text: string,
  start: number,
  outer: XmlElement['scope'],
): { opened: OpenElement; isEmpty: boolean; at: number } {
  const [qualifiedName, afterName] = readName(text, start);
  const raw = new Map<string, string>();
  let at = afterName;
  for (;;) {
    const next = skipSpace(text, at);
    const isEmpty = text[next] === '/';
    if (text[next] === '>' || (isEmpty && text[next + 1] === '>')) {
      const opened = openElement(qualifiedName, raw, outer);
      return { opened, isEmpty, at: next + (isEmpty ? 2 : 1) };
    }
    if (next === at) throw new XmlRefused('It has a tag that is not well-formed.');
    const attribute = readAttribute(text, next);
    if (raw.has(attribute.name)) throw new XmlRefused('It has an attribute twice.');
    raw.set(attribute.name, attribute.value);
    if (raw.size > MAX_ATTRIBUTES)
      throw new XmlRefused(`It has an element with more than ${MAX_ATTRIBUTES} attributes.`);
    at = attribute.at;
  }
}

function readAttribute(text: string, start: number): { name: string; value: string; at: number } {
  const [name, afterName] = readName(text, start);
  const equals = skipSpace(text, afterName);
  const quoteAt = skipSpace(text, equals + 1);
  const quote = text[quoteAt];
  const end = quote === '"' || quote === "'" ? text.indexOf(quote, quoteAt + 1) : -1;
  const value = text.slice(quoteAt + 1, end);
  if (text[equals] !== '=' || end === -1 || value.includes('<'))
    throw new XmlRefused('It has a tag that is not well-formed.');
  return { name, value: readCharacters(value.replaceAll(/\r\n|[\t\r\n]/g, ' ')), at: end + 1 };
}

function openElement(
  qualifiedName: string,
  raw: ReadonlyMap<string, string>,
  outer: XmlElement['scope'],
): OpenElement {
  const declared = new Map<string, string>();
  const attributes = new Map<string, string>();
  for (const [name, value] of raw) {
    const prefix = name === 'xmlns' ? '' : /^xmlns:(.*)$/.exec(name)?.[1];
    if (prefix === undefined) attributes.set(name, value);
    else if (isDeclarable(prefix, value)) declared.set(prefix, value);
    else throw new XmlRefused('It declares a namespace that cannot be declared.');
  }
  const scope = declared.size === 0 ? outer : [...outer, declared];
  const [prefix, name] = splitName(qualifiedName);
  const namespace = namespaceOf(prefix, scope);
  const expanded = new Set<string>();
  for (const attribute of attributes.keys()) {
    const [attributePrefix, local] = splitName(attribute);
    if (attributePrefix === '') continue;
    const key = `${namespaceOf(attributePrefix, scope)} ${local}`;
    if (expanded.has(key)) throw new XmlRefused('It has an attribute twice.');
    expanded.add(key);
  }
  const element = { namespace, prefix, name, attributes, content: [], children: [], text: '', scope };
  return { qualifiedName, element };
}

function isDeclarable(prefix: string, value: string): boolean {
  const isReserved = value === XML_NAMESPACE || value === XMLNS_NAMESPACE;
  return prefix !== 'xml' && prefix !== 'xmlns' && !isReserved && (prefix === '' || value !== '');
}

/**
 * The namespace of a prefix; empty for none.
 *
 * @throws {XmlRefused} for a prefix that nothing declares
 */
export function namespaceOf(prefix: string, scope: XmlElement['scope']): string {
  if (prefix === 'xml') return XML_NAMESPACE;
  const found = scope.findLast((each) => each.has(prefix))?.get(prefix);
  if (found === undefined && prefix !== '') throw new XmlRefused('It has a prefix without a namespace.');
  return found ?? '';
}

/** The prefix of a name, which may be empty, and the rest. */
export function splitName(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function readName(text: string, at: number): [name: string, after: number] {
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) throw new XmlRefused('It has a tag that is not well-formed.');
  return [name, at + name.length];
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Text with its references resolved: the five entities of XML, and numbers. */
function readCharacters(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^;&]{0,12});?/g, (reference, name: string) => {
    const character = reference.endsWith(';') ? (ENTITIES.get(name) ?? numbered(name)) : undefined;
    if (character === undefined) throw new XmlRefused('It has an entity that XML does not have.');
    return character;
  });
}

function numbered(name: string): string | undefined {
  const digits = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (digits === null) return undefined;
  const [, hexadecimal, decimal = ''] = digits;
  const point = hexadecimal === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(point);
  return FORBIDDEN_CHARACTER.test(character) ? undefined : character;
}

/** The children with a name of a namespace. */
export function childrenOf(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  return parent.children.filter((child) => child.namespace === namespace && child.name === name);
}

/** The text of an element without the spaces of XML around it. Other characters are part of it, whatever they look like. */
export function trimmedText({ text }: XmlElement): string {
  let start = 0;
  let end = text.length;
  const isSpace = (at: number) => ' \t\r\n'.includes(text.charAt(at));
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** The element and everything in it, in the order of the document. */
export function elementsIn(root: XmlElement): XmlElement[] {
  return [root, ...root.children.flatMap(elementsIn)];
}

/** Text for use in a document, as text or in double quotes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');
}
