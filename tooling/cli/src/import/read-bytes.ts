import { decodeText, UnreadableTextError } from '@gatehouse/runtime/text/read-lines';

/** A record of a file, in bytes. */
export interface RawRecord {
  /** The number of its first line, counted from 1. */
  readonly number: number;
  /** Where in the file it begins. */
  readonly offset: number;
  /** None if there is a problem. */
  readonly bytes: Buffer;
  /** Why it was skipped up to its end. */
  readonly problem?: string | undefined;
}

/** The maximum size of one record. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** The sentence about a longer one. */
export const TOO_LONG = 'has more than 1 MB';

const UNCLOSED = 'has a quote that is not closed, so that nothing behind it is read';

const LF = 0x0a;
const QUOTE = 0x22;

/** What may be before a field of a CSV file: a line break, or one of the separators. */
const BEFORE_FIELD: ReadonlySet<number | undefined> = new Set([LF, 0x2c, 0x3b, 0x09]);

/** Where the byte order mark of a file ends. */
const [MARK_END, MARK_AT] = [0xbf, 2];

/**
 * The records of a file, as they arrive: its lines, or in CSV what is between line breaks outside quotes. One of more than 1 MB
 * is skipped up to its end.
 */
export async function* readRawRecords(
  chunks: AsyncIterable<Buffer>,
  { isQuoted }: { isQuoted: boolean },
): AsyncGenerator<RawRecord> {
  let parts: Buffer[] = [];
  let length = 0;
  let [number, offset, position] = [1, 0, 0];
  let breaks = 0;
  let isInside = false;
  let wasInside = false;
  let before: number | undefined = LF;
  const take = (last: Buffer): RawRecord => {
    const isTooLong = length + last.length > MAX_RECORD_BYTES;
    const problem = isInside ? UNCLOSED : isTooLong ? TOO_LONG : undefined;
    const bytes = problem === undefined ? Buffer.concat([...parts, last]) : Buffer.alloc(0);
    const record = { number, offset, bytes, problem };
    number += breaks;
    parts = [];
    [length, breaks] = [0, 0];
    return record;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      // Within a field a quote is an ordinary character; right after a closing one it is the second of two.
      if (isQuoted && byte === QUOTE && (isInside || wasInside || BEFORE_FIELD.has(before))) {
        wasInside = isInside;
        isInside = !isInside;
      } else wasInside = false;
      before = byte === MARK_END && position + at === MARK_AT ? LF : byte;
      if (byte !== LF) continue;
      breaks += 1;
      if (isInside) continue;
      const record = take(chunk.subarray(start, at));
      start = at + 1;
      offset = position + start;
      yield record;
    }
    position += chunk.length;
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_RECORD_BYTES) parts = [];
  }
  if (length > 0) yield take(Buffer.alloc(0));
}

/** The text of a record in UTF-8 without its line break, or why it cannot be read. */
export function textIn({
  bytes,
  problem,
}: Pick<RawRecord, 'bytes' | 'problem'>): { text: string } | { problem: string } {
  if (problem !== undefined) return { problem };
  try {
    return { text: decodeText(bytes).replace(/\r$/, '') };
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    return { problem: 'is not UTF-8, perhaps Latin-1: save the file as UTF-8' };
  }
}
