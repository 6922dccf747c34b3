import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { writeProgram } from '../../test/write-program.js';
import { type ProgramRun, runProgram } from './run-program.js';

const REPORT = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  process.stdout.write(JSON.stringify({
    args: process.argv.slice(2), env: process.env, ppid: process.ppid, cwd: process.cwd(), input: Buffer.concat(chunks).toString(),
  }));
});`;

/** Starts children that outlive it. One ignores SIGTERM, and all keep its output open. */
const FAMILY = (pidFile: string) => `
const { spawn } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
const children = [1, 2, 3].map(() => spawn(process.execPath, ['-e', stubborn], { stdio: 'inherit' }));
writeFileSync(${JSON.stringify(pidFile)}, JSON.stringify([process.pid, ...children.map(({ pid }) => pid)]));
`;

const lines = async function* (count: number, line = 'line\n') {
  for (let index = 0; index < count; index += 1) yield line;
};

const run = (file: string, rest: Partial<ProgramRun> = {}) =>
  runProgram({ file, args: [], input: lines(0), timeoutMs: 20_000, mostOutputBytes: 1_000_000, ...rest });

/** A zombie, which waits for its parent, is regarded as gone. */
const isAlive = (pid: number) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

async function expectAllGone(pidFile: string): Promise<void> {
  const pids = JSON.parse(await readFile(pidFile, 'utf8')) as number[];
  expect(pids).toHaveLength(4);
  await expect.poll(() => pids.filter(isAlive), { timeout: 2_000 }).toEqual([]);
}

const failure = (reason: RegExp) => ({
  code: 'analysis_failed',
  detail: expect.stringMatching(reason) as string,
});

describe('a program of the operator', () => {
  it('gets its arguments unchanged, the input, and nothing of our environment', async () => {
    await using folder = await createTestFolder();
    const file = await writeProgram(folder.path, 'report', REPORT);
    const args = ['--', '--help', '-o/x', '$(id)', '`id`', ';id', '"\'\\', 'two\nlines\ttab', '*', '', '𝄞 ü'];
    const report = JSON.parse(await run(file, { args, input: lines(3) })) as Record<string, unknown>;
    expect(report).toMatchObject({ args, ppid: process.pid, cwd: '/', input: 'line\nline\nline\n' });
    expect(Object.keys(report['env'] as object).toSorted()).toEqual(['LANG', 'PATH', 'TZ']);
  });

  it('may end without reading its input, however long that is', async () => {
    await using folder = await createTestFolder();
    const file = await writeProgram(folder.path, 'deaf', "process.stdout.write('{}')");
    expect(await run(file, { input: lines(100_000, 'x'.repeat(1_000)) })).toBe('{}');
  });

  it.each([
    ['ends with another code', 'process.exit(3)', /code 3$/],
    ['is killed', "process.kill(process.pid, 'SIGKILL')", /SIGKILL$/],
    [
      'prints too much',
      "const out = () => process.stdout.write('x'.repeat(65536), out); out()",
      /printed too much$/,
    ],
  ])('fails when it %s', async (_, source, reason) => {
    await using folder = await createTestFolder();
    const file = await writeProgram(folder.path, 'failing', source);
    await expect(run(file)).rejects.toMatchObject(failure(reason));
  });

  it('fails when it cannot be started', async () => {
    await using folder = await createTestFolder();
    await expect(run(join(folder.path, 'absent'))).rejects.toMatchObject(failure(/could not be started$/));
    await expect(run(folder.path)).rejects.toMatchObject(failure(/could not be started$/));
  });

  it('fails when it takes too long, and leaves no process behind', async () => {
    await using folder = await createTestFolder();
    const pidFile = join(folder.path, 'pids');
    const file = await writeProgram(
      folder.path,
      'hanging',
      `${FAMILY(pidFile)} setInterval(() => {}, 1000);`,
    );
    const startedAt = performance.now();
    await expect(run(file, { timeoutMs: 1_500 })).rejects.toMatchObject(failure(/took too long$/));
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await expectAllGone(pidFile);
  });

  it('leaves no process behind when it succeeds, and does not wait for child processes', async () => {
    await using folder = await createTestFolder();
    const pidFile = join(folder.path, 'pids');
    const source = `${FAMILY(pidFile)} process.stdout.write('{"ok":true}', () => process.exit(0));`;
    const file = await writeProgram(folder.path, 'parent', source);
    expect(await run(file)).toBe('{"ok":true}');
    await expectAllGone(pidFile);
  });

  it('is stopped when its input cannot be read, and the error is passed on', async () => {
    await using folder = await createTestFolder();
    const file = await writeProgram(folder.path, 'waiting', REPORT);
    const broken = async function* () {
      yield 'line\n';
      await Promise.resolve();
      throw new RangeError('the database is away');
    };
    await expect(run(file, { input: broken() })).rejects.toThrow(RangeError);
  });
});
