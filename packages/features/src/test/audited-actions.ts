import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FEATURES = fileURLToPath(new URL('..', import.meta.url));

/** Names that the features write into the audit log in parts: the beginning, and how they can end. */
const IN_PARTS: Readonly<Record<string, readonly string[]>> = {
  'recovery.': ['canceled', 'completed', 'expired'],
};

/**
 * The names that the features use in the audit log.
 * @throws Error if one is written in parts that are not known here
 */
export function auditedActions(): string[] {
  const sources = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(^|\/)test\//.test(name))
    .map((name) => readFileSync(join(FEATURES, name), 'utf8'));
  const starts = sources.flatMap((source) => matchesIn(source, /action: `([a-z-]+\.)\$\{/g));
  const unknown = starts.filter((start) => !Object.hasOwn(IN_PARTS, start));
  if (unknown.length > 0) throw new Error(`Nobody knows how these end: ${unknown.join(', ')}`);
  const endings = Object.entries(IN_PARTS).flatMap(([start, ends]) => ends.map((end) => start + end));
  const lines = sources.flatMap((source) =>
    source.split('\n').filter((line) => /\baction\b|\binvitationRecord\b/.test(line)),
  );
  return [...new Set([...lines.flatMap((line) => matchesIn(line, /'([a-z-]+\.[A-Za-z_-]+)'/g)), ...endings])];
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}
