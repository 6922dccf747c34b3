import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSecurityEvent } from '@gatehouse/features/security-event/is-security-event';
import { describe, expect, it } from 'vitest';
import { EVENTS } from './event-words.js';

const FEATURES = fileURLToPath(new URL('../../../../../../packages/features/src/', import.meta.url));

/** Names that the features write into the audit log in parts: the beginning, and how they can end. */
const IN_PARTS: Readonly<Record<string, readonly string[]>> = {
  'recovery.': ['canceled', 'completed', 'expired'],
};

const sources = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(^|\/)test\//.test(name))
  .map((name) => readFileSync(join(FEATURES, name), 'utf8'));

/** What the features call the things that they write down. */
function actionsOf(source: string): string[] {
  const lines = source.split('\n').filter((line) => /\baction\b/.test(line));
  return lines.flatMap((line) =>
    [...line.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action = '']) => action),
  );
}

const written = new Set(sources.flatMap(actionsOf));
const inParts = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/action: `([a-z-]+\.)\$\{/g)].map(([, start = '']) => start),
  ),
);

describe('the words of security events', () => {
  it('are there for each kind that the service writes', () => {
    expect([...inParts]).toEqual(Object.keys(IN_PARTS));
    const endings = Object.entries(IN_PARTS).flatMap(([start, ends]) => ends.map((end) => start + end));
    const kinds = [...written, ...endings].filter(isSecurityEvent);
    expect(kinds.length).toBeGreaterThan(40);
    // The beginning of a session is told as a login.
    const untold = kinds.filter((kind) => kind !== 'session.started' && !Object.hasOwn(EVENTS, kind));
    expect(untold).toEqual([]);
  });
});
