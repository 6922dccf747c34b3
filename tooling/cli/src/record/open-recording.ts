import { type FileHandle, open } from 'node:fs/promises';
import { CommandError } from '../command-error.js';
import { canonicalJson } from './canonical-json.js';
import type { RecordedExchange, RecordedLine } from './recorded-exchange.js';

/** A recording that is being written. */
export interface Recording {
  readonly exchanges: number;
  /** Exchanges that are not in the file. */
  readonly leftOut: number;
  /** Exchanges among them that cannot be described. */
  readonly undescribed: number;
  /**
   * Adds the line that `describe` makes, as soon as the disk accepts it. Never throws: clients must not notice that they are
   * recorded.
   */
  add(describe: () => RecordedExchange): void;
  /** Writes the last line. */
  close(): Promise<void>;
}

/** The maximum that `readLines` accepts in one line. */
const MAX_LINE_BYTES = 1_000_000;

/** How much may wait for the disk. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Makes the file, which only its owner may read. When it is full, or the disk refuses it, the recording ends and says so, without
 * any other effect.
 * @throws {CommandError} if there is one already
 */
export async function openRecording({
  path,
  maxBytes,
  first,
  say,
  openFile = open,
}: {
  path: string;
  maxBytes: number;
  first: RecordedLine;
  say(line: string): void;
  openFile?(path: string, flags: 'wx', mode: number): Promise<Pick<FileHandle, 'appendFile' | 'close'>>;
}): Promise<Recording> {
  const file = await openFile(path, 'wx', 0o600).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new CommandError(`${path} is there already: name another with --file, or move it away.`);
  });
  let exchanges = 0;
  let leftOut = 0;
  let undescribed = 0;
  let bytes = 0;
  let waiting = 0;
  let isOver = false;
  let isBroken = false;
  let writing = Promise.resolve();
  const end = (why: string) => {
    if (!isOver) say(`${why}: the recording ends here, and requests still go through.`);
    isOver = true;
  };
  const write = (line: string, lost: () => void = () => undefined) => {
    waiting += line.length;
    bytes += Buffer.byteLength(line);
    writing = writing
      .then(() =>
        isBroken ? Promise.reject(new Error('after a line that is not whole')) : file.appendFile(line),
      )
      .catch((error: unknown) => {
        // The line may have been written in part. Another one after it would spoil both.
        isBroken = true;
        lost();
        end(`${path} cannot be written (${String(error)})`);
      })
      .then(() => {
        waiting -= line.length;
      });
  };
  write(`${canonicalJson(first)}\n`);
  await writing;
  return {
    get exchanges() {
      return exchanges;
    },
    get leftOut() {
      return leftOut;
    },
    get undescribed() {
      return undescribed;
    },
    add(describe) {
      const line = lineOf(describe);
      if (line === undefined) {
        leftOut += 1;
        undescribed += 1;
        return;
      }
      if (bytes + line.length > maxBytes) end(`${path} has ${maxBytes} bytes`);
      if (isOver || waiting > MAX_WAITING_BYTES) leftOut += 1;
      else {
        exchanges += 1;
        write(line, () => {
          exchanges -= 1;
          leftOut += 1;
        });
      }
    },
    async close() {
      await writing;
      write(`${canonicalJson({ is: 'end', at: new Date().toISOString(), exchanges, leftOut })}\n`);
      await writing;
      await file.close();
    },
  };
}

/** Undefined if describing it throws. */
function lineOf(describe: () => RecordedExchange): string | undefined {
  try {
    return shortened(describe());
  } catch {
    return undefined;
  }
}

/** The line, without bodies if it would be too long with them. */
function shortened(exchange: RecordedExchange): string {
  const line = `${canonicalJson(exchange)}\n`;
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  const { request, answer, leftOut = [] } = exchange;
  const { body: _asked, ...asked } = request;
  const { body: _answered, ...answered } = answer ?? { status: 0, headers: {} };
  const bodies = 'both bodies: too long for a line';
  return `${canonicalJson({
    ...exchange,
    request: asked,
    ...(answer === undefined ? {} : { answer: answered }),
    leftOut: [...leftOut, bodies],
  })}\n`;
}
