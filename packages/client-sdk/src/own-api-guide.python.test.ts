import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startMachineWorld } from '@gatehouse/features/test/machine-world';
import { blockOf } from '@gatehouse/testkit';
import { findPython } from '@gatehouse/testkit/operations';
import { expect, it } from 'vitest';
import { type Ask, expectGuideToRefuse } from './test/guide-calls.js';

const run = promisify(execFile);

it('the Python code of the guide admits and refuses callers as the service does', async () => {
  const program = `${blockOf('docs/your-own-api.md', 'def caller')}
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

it('the Python code of the guide to machines calls as a machine', async () => {
  await using world = await startMachineWorld({ dialect: 'libsql' });
  const program = blockOf('docs/machines.md', 'def call(');
  const worker = (key: string) =>
    run(findPython() ?? '', ['-c', program], {
      env: { BASE_URL: world.service.url, KEY: key },
    });
  const { key } = await world.newKey(['member.list'], { perMinute: 1_000 });
  const { stdout } = await worker(key);
  expect(stdout).toMatch(/^\d+ \S+@\S+$/m);
  const { key: reader } = await world.newKey(['event.read']);
  await expect(worker(reader)).rejects.toMatchObject({ stderr: expect.stringContaining('403') });
});
