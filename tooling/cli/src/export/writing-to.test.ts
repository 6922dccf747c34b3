import { open } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CommandError } from '../command-error.js';
import { writingTo } from './writing-to.js';

it('a full disk is reported by a sentence that names the file', async () => {
  const write = async () => {
    await using file = await open('/dev/full', 'w');
    await file.writeFile('x');
  };
  const sentence = new CommandError('There is no room left for /safe/members.ndjson.');
  await expect(writingTo('/safe/members.ndjson', write)).rejects.toEqual(sentence);
});
