import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { shellStartup } from './shell-startup.js';

// Apart, so that this file is not refused itself.
const BASH = `'bash'`;
const findingsFor = (text: string) => shellStartup.run(repositoryOf({ 'packages/db/src/one.test.ts': text }));

describe('a start of bash', () => {
  it('is refused if it may read the startup file of the machine', () => {
    expect(findingsFor(`\nrun(${BASH}, ['-eu', '-c', script]);\n`)).toMatchObject([{ line: 2 }]);
    expect(findingsFor(`run(\n  ${BASH},\n  [\n    '-c', script]);\n`)).toMatchObject([{ line: 2 }]);
  });

  it('is accepted if it may not', () => {
    expect(
      findingsFor(
        "run(\n  'bash',\n  [\n '--norc', '-eu', '-c', script]);\nconst LANGUAGES = { Shell: 'bash' };\n",
      ),
    ).toEqual([]);
  });
});
