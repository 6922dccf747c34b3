import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SECURITY_EVENTS } from './log.js';

it('documents every event of the security log, and no other', async () => {
  const text = await readFile(new URL('../../../../docs/security-events.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `([a-z.-]+)` \|/gm)].map(([, name]) => name);
  expect(documented).toHaveLength(SECURITY_EVENTS.length);
  expect(new Set(documented)).toEqual(new Set(SECURITY_EVENTS));
});
