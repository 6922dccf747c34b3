/** A source of numbers below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Where an element is in a text. */
interface Span {
  readonly start: number;
  /** Behind its start tag. */
  readonly inside: number;
  /** Before its end tag. */
  readonly close: number;
  readonly end: number;
}

function spansOf(xml: string): Span[] {
  const open: { start: number; inside: number }[] = [];
  const spans: Span[] = [];
  for (const found of xml.matchAll(/<(\/?)[\w:]+[^<>]*?(\/?)>/g)) {
    const [tag, isEnd, isEmpty] = found;
    const end = found.index + tag.length;
    if (isEnd === '/') {
      const opened = open.pop();
      if (opened !== undefined) spans.push({ ...opened, close: found.index, end });
    } else if (isEmpty === '/') spans.push({ start: found.index, inside: end, close: end, end });
    else open.push({ start: found.index, inside: end });
  }
  return spans;
}

/** Places, other elements and texts that an attack may need. */
interface Means {
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** An assertion that nobody signed. */
  readonly forged: string;
}

type Change = (xml: string, means: Means) => string;

const insertAt = (xml: string, at: number, text: string): string => xml.slice(0, at) + text + xml.slice(at);

const placeIn = (xml: string, { pick }: Means): number => {
  const { start, inside, close, end } = pick(spansOf(xml));
  return pick([start, inside, close, end]);
};

const without = (xml: string, { start, end }: Span): string => xml.slice(0, start) + xml.slice(end);

const textOf = (xml: string, { start, end }: Span): string => xml.slice(start, end);

const CHANGES: readonly Change[] = [
  // Copied, moved, removed, or wrapped in another.
  (xml, means) => insertAt(xml, placeIn(xml, means), textOf(xml, means.pick(spansOf(xml)))),
  (xml, means) => {
    const span = means.pick(spansOf(xml));
    const rest = without(xml, span);
    return spansOf(rest).length === 0 ? xml : insertAt(rest, placeIn(rest, means), textOf(xml, span));
  },
  (xml, { pick }) => without(xml, pick(spansOf(xml))),
  (xml, { pick }) => {
    const span = pick(spansOf(xml));
    const name = pick(['x', 'samlp:Extensions', 'ds:Object', 'saml:Advice', 'samlp:Response']);
    return `${xml.slice(0, span.start)}<${name}>${textOf(xml, span)}</${name}>${xml.slice(span.end)}`;
  },
  // One that nobody signed.
  (xml, means) => insertAt(xml, placeIn(xml, means), means.forged),
  (xml, means) => {
    const span = means.pick(spansOf(xml));
    return xml.slice(0, span.start) + means.forged + xml.slice(span.end);
  },
  // The values of attributes, and more of them.
  (xml, { pick }) => {
    const values = [...xml.matchAll(/="([^"]*)"/g)];
    const [{ index, 0: whole }, [, other = '']] = [pick(values), pick(values)];
    const value = pick([other, '', `${other} `, `#${other}`]);
    return `${xml.slice(0, index)}="${value}"${xml.slice(index + whole.length)}`;
  },
  (xml, { pick }) => {
    const names = [...xml.matchAll(/<[\w:]+(?=[\s/>])/g)];
    const { index, 0: tag } = pick(names);
    const [id = ''] = pick([...xml.matchAll(/(?<=ID=")[^"]*/g)]);
    const added = pick([
      `Id="${id}"`,
      `xml:id="${id}"`,
      'xmlns:saml="urn:x"',
      'xmlns="urn:x"',
      'xmlns:ds="urn:x"',
      'Format="urn:x"',
      'Version="1.0"',
      'InResponseTo="_other"',
    ]);
    return insertAt(xml, index + tag.length, ` ${added}`);
  },
  (xml, { pick }) => {
    const attributes = [...xml.matchAll(/ [\w:]+="[^"]*"/g)];
    const { index, 0: attribute } = pick(attributes);
    return xml.slice(0, index) + xml.slice(index + attribute.length);
  },
  // Names and texts.
  (xml, { pick }) => {
    const [name, other] = pick<readonly [string, string]>([
      ['saml:', 'evil:'],
      ['samlp:', 'saml:'],
      ['ds:', 'saml:'],
    ]);
    return xml.replaceAll(name, other);
  },
  (xml, { pick }) => {
    const texts = [...xml.matchAll(/(?<=>)[^<>\s][^<>]*(?=<)/g)];
    const { index, 0: text } = pick(texts);
    const half = Math.floor(text.length / 2);
    const changed = pick([
      'eve-99',
      `${text} `,
      ` ${text}`,
      `${text.slice(0, half)}<!---->${text.slice(half)}`,
      `${text}<!-- -->`,
      `<![CDATA[${text}]]>`,
      `${text.slice(0, half)}<?x?>${text.slice(half)}`,
      `&#x${(text.codePointAt(0) ?? 0).toString(16)};${text.slice(1)}`,
      `${text}&#xA0;`,
      `<x>${text}</x>`,
      '',
    ]);
    return xml.slice(0, index) + changed + xml.slice(index + text.length);
  },
];

/** Changes a signed answer in one to three ways by chance. */
export function mutateSaml(signed: string, random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed) ?? [];
  const evil = assertion.replaceAll('ada-17', 'eve-99').replaceAll('ada@', 'eve@');
  const bare = evil.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
  const forged = [evil, bare, bare.replace(/ ID="[^"]*"/, ' ID="_forged"')];
  let xml = signed;
  for (let left = pick([1, 1, 2, 3]); left > 0; left -= 1) {
    try {
      xml = pick(CHANGES)(xml, { pick, forged: pick(forged) });
    } catch {
      // Earlier changes left nothing to change in that way.
    }
  }
  return xml;
}
