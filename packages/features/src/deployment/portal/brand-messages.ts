import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Brand } from '@gatehouse/runtime/config/brand/brand';
import { z } from 'zod';
import { ConfigError } from '../../core/config.js';

/** By id the names of the values in a message; null where it counts or chooses. */
const list = z.record(z.string(), z.array(z.string()).nullable());
type MessageList = z.output<typeof list>;

/**
 * Requires that the portal has the messages that a brand replaces, and the values that they name. Without a build of the
 * portal nobody would see them, and nothing is required.
 * @param folder the build; its URL ends in a slash
 * @throws {ConfigError} naming each wrong message
 */
export function requireKnownMessages(brand: Brand, folder: URL): void {
  const known = readLists(folder);
  if (known === undefined) return;
  const problems = Object.entries(brand.messages).flatMap(([language, messages]) =>
    Object.entries(messages).flatMap(([id, text]) =>
      problemsOf(id, text, known).map((problem) => `PORTAL_BRAND: messages.${language}.${id} ${problem}`),
    ),
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

function problemsOf(id: string, text: string, known: MessageList): string[] {
  const names = Object.hasOwn(known, id) ? known[id] : undefined;
  if (names === undefined) return ['is no message of the portal'];
  if (names === null) return ['counts or chooses, and cannot be replaced'];
  const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return used.filter((name) => !names.includes(name)).map((name) => `has no value {${name}}`);
}

/** The messages that a build lists; undefined where there is no list. */
function readLists(folder: URL): MessageList | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.list'));
  if (names.length === 0) return undefined;
  const lists = names.map((name) => list.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
  return Object.fromEntries(lists.flatMap((each) => Object.entries(each)));
}
