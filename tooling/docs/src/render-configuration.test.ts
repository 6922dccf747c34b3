import { describe, expect, it } from 'vitest';
import { renderConfiguration } from './render-configuration.js';

const example = `# What this file is.

# --- Listening ---

# Where it listens.
# HOST=127.0.0.1
# PORT=4000

# A secret | of some bytes,
# and more about it.
SECRET=

# --- Again ---

# Said before.
# PORT=4000
`;

describe('the table of variables', () => {
  it('describes each group of variables, and says whether each variable must be set', () => {
    const rows = renderConfiguration(example)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toEqual([
      '| `HOST` | `127.0.0.1` | Where it listens. |',
      '| `PORT` | `4000` | as above |',
      '| `SECRET` | **must be set** | A secret \\| of some bytes, and more about it. |',
    ]);
  });

  it('leaves out a section that says nothing new', () => {
    expect(renderConfiguration(example)).not.toContain('Again');
  });
});
