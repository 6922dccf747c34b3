import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderedDocuments } from './rendered-documents.js';

describe('the rendered documents', () => {
  it.each(Object.entries(renderedDocuments()))(
    '%s matches the code; pnpm docs:render writes it',
    (path, text) => {
      expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
    },
  );
});
