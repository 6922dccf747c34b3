import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWordList } from './password-policy.js';

describe('a word list', () => {
  it('contains its words and no others', () => {
    const word = fc.stringMatching(/^[abü]{0,4}$/u);
    fc.assert(
      fc.property(fc.array(word), word, (words, asked) => {
        expect(createWordList(words).has(asked)).toBe(words.includes(asked));
      }),
    );
  });

  it('contains whole single words only', () => {
    const list = createWordList(['dragon', 'dragonfly', 'dry']);
    for (const asked of ['', 'dr', 'drag', 'dragonfl', 'ragon', 'dragon\ndragonfly', '\ndry', 'dry\n']) {
      expect(list.has(asked)).toBe(false);
    }
  });
});
