import type { WriteStream } from 'node:tty';
import type { CommandContext } from './command.js';

const ERASE_LINE = '\r\u001b[2K';
const LINES_EVERY_MS = 5_000;

/** A command's output: a terminal, whose last line can be redrawn, or a file. */
export function createConsole(
  stream: Pick<WriteStream, 'write' | 'isTTY'>,
): Pick<CommandContext, 'say' | 'draw'> {
  let isDrawn = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    say(line) {
      stream.write(isDrawn ? `${ERASE_LINE}${line}\n` : `${line}\n`);
      isDrawn = false;
    },
    draw(line) {
      if (stream.isTTY) {
        stream.write(`${ERASE_LINE}${line}`);
        isDrawn = true;
      } else if (performance.now() - writtenAt >= LINES_EVERY_MS) {
        stream.write(`${line}\n`);
        writtenAt = performance.now();
      }
    },
  };
}
