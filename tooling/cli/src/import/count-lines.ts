import { open } from 'node:fs/promises';

const NEWLINE = 10;
const BYTES_AT_ONCE = 1024 * 1024;

/** The lines of a file. The last one may have no line break. */
export async function countLines(path: string): Promise<number> {
  const file = await open(path);
  const buffer = Buffer.allocUnsafe(BYTES_AT_ONCE);
  let lines = 0;
  let last = NEWLINE;
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return last === NEWLINE ? lines : lines + 1;
      const bytes = buffer.subarray(0, bytesRead);
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
      last = bytes.at(-1) ?? last;
    }
  } finally {
    await file.close();
  }
}
