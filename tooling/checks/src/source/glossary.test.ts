import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { glossary } from './glossary.js';

const found = (path: string, text: string) =>
  glossary.run(repositoryOf({ [path]: text })).map(({ line, message }) => `${line} ${message}`);

describe('the glossary', () => {
  it('refuses names that have been replaced, and says the new one', () => {
    expect(found('packages/db/src/a.ts', 'export function holdMember() {}')).toEqual([
      '1 `holdMember`: say lock…',
    ]);
    expect(found('packages/db/src/a.ts', '\nexport const restDoor = 1;')).toEqual([
      '2 `restDoor`: say transport',
    ]);
    expect(found('packages/db/src/a.ts', 'export const a = kit.rosters;')).toHaveLength(2);
    expect(found('apps/api-main/src/token-doors.test.ts', '')).toHaveLength(1);
    expect(found('apps/api-main/src/soak.proof.test.ts', '')).toHaveLength(1);
  });

  it('accepts other words, and what operators read', () => {
    expect(found('packages/db/src/a.ts', 'export const testkit = Math.floor(holder.notes);')).toEqual([]);
    expect(found('packages/runtime/src/log/log.ts', 'export const line = { door: 1 };')).toEqual([]);
    expect(found('packages/features/src/social/front-end-url.ts', '')).toEqual([]);
  });
});
