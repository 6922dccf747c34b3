import { open, readFile } from 'node:fs/promises';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { openRecording } from './open-recording.js';
import type { RecordedExchange } from './recorded-exchange.js';

const AT = '2030-01-02T03:04:05.678Z';
const EXCHANGE: RecordedExchange = {
  is: 'exchange',
  at: AT,
  ms: 1,
  request: { method: 'GET', path: '/', query: [], headers: {} },
};
const FIRST = { is: 'recording', version: 1, at: AT, key: 'digest:a', tokenHeader: 'token' } as const;

describe('a recording that is being written', () => {
  it('leaves out an exchange that cannot be described, and continues', async () => {
    await using folder = await createTestFolder();
    const path = `${folder.path}/recording`;
    const recording = await openRecording({ path, maxBytes: 10_000, first: FIRST, say: () => undefined });
    recording.add(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    recording.add(() => EXCHANGE);
    await recording.close();
    expect(recording).toMatchObject({ exchanges: 1, leftOut: 1, undescribed: 1 });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { is: string }).is)).toEqual([
      'recording',
      'exchange',
      'end',
    ]);
  });

  it('ends when the disk is full, says so once, and does not count an exchange that is not in the file', async () => {
    const said: string[] = [];
    const recording = await openRecording({
      path: 'recording',
      maxBytes: 10_000,
      first: FIRST,
      say: (line) => void said.push(line),
      openFile: () => open('/dev/full', 'w'),
    });
    recording.add(() => EXCHANGE);
    await recording.close();
    expect(recording).toMatchObject({ exchanges: 0, leftOut: 1 });
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
  });
});
