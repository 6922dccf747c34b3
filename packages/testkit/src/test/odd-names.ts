import type { Page } from 'playwright-core';

const OVERRIDE = '\u202E';

/** Names that people may choose for themselves and their things, by what a page could mistake them for. */
export const NAMES = {
  script: '<script>tellViolation("a script ran")</script>',
  'markup and a tag of a message': '<img src=x onerror=tellViolation("m")><email>b</email> {account} #',
  'overrides to the left, within an isolate and out of it': `Ann${OVERRIDE}moc.live\u2069${OVERRIDE}moc.live`,
  letters: 'W'.repeat(300),
  'emoji and combining marks': `👩‍👩‍👧‍👦🏳️‍🌈👍🏽 Z${'\u0351\u0317\u0489'.repeat(8)}algo Zoë 🇨🇭`,
} as const;

/** All of these in one name, of which even the first 60 characters have markup, an override to the left and a combining mark. */
export const ODDEST_NAME = `<img src=x onerror=tellViolation("m")>Ann${OVERRIDE}moc\u2069${OVERRIDE}Z\u0351👩‍👩‍👧‍👦 {account} ${NAMES.script} ${NAMES.letters}`;

/** A name of the greatest length that a field allows, cut between characters. */
export function cut(name: string, units: number): string {
  let kept = '';
  for (const letter of name) if (kept.length + letter.length <= units) kept += letter;
  return kept;
}

/**
 * What is wrong with a screen that shows names: one that is missing as text, elements made of it, a scroll sideways, and
 * words around a name that do not run from left to right.
 */
export async function flawsOfNames(page: Page, names: readonly string[]): Promise<string[]> {
  const found = await page.evaluate<string>(`(${look.toString()})(${JSON.stringify(names)})`);
  return JSON.parse(found) as string[];
}

interface Looked {
  readonly document: {
    readonly body: Element;
    readonly documentElement: { readonly scrollWidth: number };
    createTreeWalker(root: Element, what: number): { nextNode(): TextNode | null };
    createRange(): Range;
    querySelectorAll(selector: string): ArrayLike<Element>;
  };
  readonly innerWidth: number;
  getComputedStyle(element: Element): { readonly display: string };
}
interface Element {
  readonly textContent: string;
  readonly parentElement: Element | null;
  readonly outerHTML: string;
  readonly tagName: string;
  closest(selector: string): Element | null;
}
interface TextNode {
  readonly data: string;
  readonly parentElement: Element;
}
interface Range {
  setStart(node: TextNode, at: number): void;
  setEnd(node: TextNode, at: number): void;
  getClientRects(): ArrayLike<{ readonly left: number; readonly top: number; readonly width: number }>;
}

/** Runs in the page. */
function look(names: readonly string[]): string {
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as Looked;
  const flaws: string[] = [];
  // Inside a message a name may lack the characters that end an isolation.
  const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
  const shown = plain(
    Array.from(document.querySelectorAll('main, aside'), (each) => each.textContent).join(' '),
  );
  for (const name of names) if (!shown.includes(plain(name))) flaws.push(`does not show ${name}`);
  const made = document.querySelectorAll('script:not([src]), img, b, email, body script:not([src])');
  for (const element of Array.from(made)) flaws.push(`has the element ${element.outerHTML}`);
  if (document.documentElement.scrollWidth > innerWidth) flaws.push('scrolls sideways');

  const blockOf = (element: Element): Element =>
    element.parentElement !== null && getComputedStyle(element).display.startsWith('inline')
      ? blockOf(element.parentElement)
      : element;
  const blocks = new Map<Element, TextNode[]>();
  const walker = document.createTreeWalker(document.body, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest('script, style, option') !== null) continue;
    const block = blockOf(node.parentElement);
    blocks.set(block, [...(blocks.get(block) ?? []), node]);
  }
  for (const nodes of blocks.values()) {
    const text = nodes.map(({ data }) => data).join('');
    if (!text.includes('\u202E')) continue;
    let last: { left: number; top: number } | undefined;
    let isTurned = false;
    for (const node of nodes) {
      if (node.parentElement.closest('bdi') !== null) continue;
      const ofNames = new Set<number>();
      for (const name of names.flatMap((each) => [each, plain(each)])) {
        for (let at = node.data.indexOf(name); at >= 0; at = node.data.indexOf(name, at + 1)) {
          for (let index = at; index < at + name.length; index += 1) ofNames.add(index);
        }
      }
      for (let index = 0; index < node.data.length; index += 1) {
        if (ofNames.has(index) || !/[\p{L}\p{N}.,?:”]/u.test(node.data[index] ?? '')) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const [rect] = Array.from(range.getClientRects());
        if (rect === undefined || rect.width === 0) continue;
        if (last !== undefined && Math.abs(last.top - rect.top) < 4 && rect.left < last.left) isTurned = true;
        last = rect;
      }
    }
    if (isTurned) flaws.push(`turns the words around a name: ${text}`);
  }
  return JSON.stringify(flaws);
}
