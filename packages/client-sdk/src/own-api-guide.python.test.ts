import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findPython } from '@gatehouse/testkit/operations';
import { expect, it } from 'vitest';
import { type Ask, expectGuideToRefuse } from './test/guide-calls.js';

const run = promisify(execFile);

it('lets in and refuses as the service does, in the Python of the guide', async () => {
  const guide = await readFile(new URL('../../../docs/your-own-api.md', import.meta.url), 'utf8');
  const sample = guide.split('```python\n')[1]?.split('\n```')[0] ?? '';
  expect(sample).toContain('def caller');
  const program = `${sample}
import sys
try:
    print(caller(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3])["member"]["id"])
except Refused as error:
    print(error.status)
`;
  const ask: Ask = async (url, headers, permission) => {
    const args = ['-c', program, url, JSON.stringify(headers), permission];
    return (await run(findPython() ?? '', args)).stdout.trim();
  };
  await expectGuideToRefuse(ask);
});
