import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const CATALOGUE = /\/messages\/[a-z]{2}\.json$/;
const ENGLISH = /(?:^|\/)messages\/en\.json$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** What stands in a syntax tree: its kind, where it is, and what it consists of. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A text that is compared, or looked for in a list, is a word of the service. */
const COMPARING: readonly string[] = ['BinaryExpression', 'SwitchCase', 'MemberExpression'];

/**
 * Gives each message of a build a name of two letters instead of its id, in the catalogues and where it is said: a tenth of
 * the words that a browser loads would be ids. Not for an app whose messages can be replaced, because that names them.
 *
 * A literal that is an id is taken for the message, unless it is a key of an object, is compared, or is looked for in a list.
 * @param folders where the catalogues and the sources that say their messages are
 */
export function numberedMessages(...folders: readonly string[]): Plugin {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    name: 'gatehouse:numbered-messages',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      names = shortNames(folders.flatMap(idsIn));
    },
    transform(code, id) {
      const isCatalogue = CATALOGUE.test(id);
      if (!isCatalogue && !folders.some((folder) => id.startsWith(folder))) return null;
      return { code: renameMessages(code, this.parse(code), names, isCatalogue), map: null };
    },
  };
}

function idsIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    ENGLISH.test(name),
  );
  return files.flatMap((name) => {
    const messages: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return typeof messages === 'object' && messages !== null ? Object.keys(messages) : [];
  });
}

/** By id its name: ids that are neighbours have names that are, which compresses best. */
export function shortNames(ids: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...new Set(ids)].toSorted().map((id, index) => [id, lettersOf(index)]));
}

function lettersOf(index: number): string {
  const last = LETTERS[index % LETTERS.length] ?? '';
  return (
    (index < LETTERS.length ** 2
      ? LETTERS[Math.floor(index / LETTERS.length)]
      : lettersOf(Math.floor(index / LETTERS.length))) + last
  );
}

/**
 * The code with the names of messages instead of their ids.
 * @param tree the code as it was parsed
 * @param isCatalogue whether the code is a catalogue, which has the ids as keys
 */
export function renameMessages(
  code: string,
  tree: unknown,
  names: ReadonlyMap<string, string>,
  isCatalogue: boolean,
): string {
  let renamed = '';
  let from = 0;
  for (const { start, end, name } of [...saidIn(tree, names, isCatalogue)].sort(
    (a, b) => a.start - b.start,
  )) {
    renamed += code.slice(from, start) + JSON.stringify(name);
    from = end;
  }
  return renamed + code.slice(from);
}

function* saidIn(
  tree: unknown,
  names: ReadonlyMap<string, string>,
  isCatalogue: boolean,
): Generator<{ readonly start: number; readonly end: number; readonly name: string }> {
  for (const [node, parent, place] of literalsIn(tree)) {
    const name = names.get(node.value);
    const isKey = parent.type === 'Property' && place === 'key';
    const isWordOfTheService = isKey || COMPARING.includes(parent.type) || isLookedFor(parent);
    if (name !== undefined && (isCatalogue ? isKey : !isWordOfTheService)) yield { ...node, name };
  }
}

/** Whether the parts of a call are looked for in a list: `permissions.includes('audit.read')`. */
const isLookedFor = (parent: Syntax): boolean =>
  parent.type === 'CallExpression' &&
  'callee' in parent &&
  isSyntax(parent.callee) &&
  'property' in parent.callee &&
  isSyntax(parent.callee.property) &&
  'name' in parent.callee.property &&
  parent.callee.property.name === 'includes';

type Literal = Syntax & { readonly value: string };

/** The texts of a tree in the order of the code, each with what it is in, and as which part of it. */
function* literalsIn(node: unknown): Generator<[literal: Literal, parent: Syntax, place: string]> {
  if (!isSyntax(node)) return;
  for (const [place, value] of Object.entries(node)) {
    for (const child of [value].flat()) {
      if (isLiteral(child)) yield [child, node, place];
      else yield* literalsIn(child);
    }
  }
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const isLiteral = (value: unknown): value is Literal =>
  isSyntax(value) && value.type === 'Literal' && 'value' in value && typeof value.value === 'string';
