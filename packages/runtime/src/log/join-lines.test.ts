import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { joinLines } from './join-lines.js';

function joined() {
  const written: string[] = [];
  return { written, lines: joinLines((text) => void written.push(text)) };
}

it('the lines of one turn of the event loop are passed on together', async () => {
  const { written, lines } = joined();
  lines.write('a\n');
  lines.write('b\n');
  expect(written).toEqual([]);
  await endOfTurn();
  expect(written).toEqual(['a\nb\n']);
  lines.write('c\n');
  await endOfTurn();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

it('a requested line is passed on at once, with what was collected before it', async () => {
  const { written, lines } = joined();
  lines.write('a\n');
  lines.write('b\n');
  lines.flush();
  expect(written).toEqual(['a\nb\n']);
  await endOfTurn();
  expect(written).toEqual(['a\nb\n']);
});

it('no more lines than a pipe accepts in one piece are passed on, except a longer line', () => {
  const { written, lines } = joined();
  const line = `${'x'.repeat(2_000)}\n`;
  for (let at = 0; at < 3; at += 1) lines.write(line);
  expect(written).toEqual([line.repeat(2)]);
  lines.write('y'.repeat(5_000));
  lines.flush();
  expect(written.slice(1)).toEqual([line, 'y'.repeat(5_000)]);
});
