/**
 * The most that a write to a pipe keeps in one piece (POSIX, `PIPE_BUF`). The lines of two processes could mix within longer
 * texts.
 */
const PIECE = 4_096;

/** Collects lines, and passes on those of one turn of the event loop together at its end. */
export function joinLines(pass: (lines: string) => void): {
  write(line: string): void;
  /** Passes on what was collected, now. */
  flush(): void;
} {
  let waiting = '';
  let isScheduled = false;

  function flush(): void {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    pass(lines);
  }

  function flushSoon(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      flush();
    });
  }

  return {
    write(line) {
      if (waiting.length + line.length > PIECE) flush();
      waiting += line;
      flushSoon();
    },
    flush,
  };
}
