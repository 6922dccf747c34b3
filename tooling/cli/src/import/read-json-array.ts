import { UnreadableTextError } from '@gatehouse/runtime/text/read-lines';
import { MAX_RECORD_BYTES, type RawRecord, TOO_LONG } from './read-bytes.js';

const [LF, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c];
const OPENING: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d]);
const LIST = 0x5b;

/** The depth of the fields of the one object of a file. */
const OF_FIELDS = 1;

/** Longer than the name of any list. */
const MAX_NAME_BYTES = 256;

/**
 * The objects in a list that is a field of the one object of a JSON file, or that is the file, as they arrive: the file may be
 * larger than memory. Anything but JSON between them ends it early; each object is parsed by the caller. One of more than 1 MB is
 * skipped up to its end.
 * @param field the name of the list; undefined if it is the file
 * @throws UnreadableTextError for a file that is not such JSON
 */
export async function* readJsonArray(
  chunks: AsyncIterable<Buffer>,
  field: string | undefined,
): AsyncGenerator<Pick<RawRecord, 'number' | 'bytes' | 'problem'>> {
  const ofValues = field === undefined ? 1 : 2;
  let [line, begins, depth] = [1, 1, 0];
  let [isText, isEscaped, isIn, isBegun] = [false, false, false, false];
  let name: number[] = [];
  let parts: Buffer[] | undefined;
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === LF) line += 1;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        const isName = isText && depth === OF_FIELDS && name.length < MAX_NAME_BYTES;
        if (isName && byte !== undefined) name.push(byte);
        continue;
      }
      if (byte === QUOTE) {
        isText = true;
        if (depth === OF_FIELDS) name = [];
      } else if (OPENING.has(byte)) {
        if (depth === 0) {
          isIn = byte === LIST;
          if (isIn && field !== undefined) throw new UnreadableTextError('is a list, not an object');
          if (!isIn && field === undefined) throw new UnreadableTextError('is an object, not a list');
        }
        if (depth === OF_FIELDS && field !== undefined)
          isIn = byte === LIST && Buffer.from(name).toString('utf8') === field;
        if (depth === ofValues && isIn && byte !== LIST) {
          parts = [];
          [start, begins, length] = [at, line, 0];
        }
        depth += 1;
        isBegun = true;
      } else if (CLOSING.has(byte)) {
        depth -= 1;
        if (depth === ofValues && parts !== undefined) {
          const last = chunk.subarray(start, at + 1);
          const isTooLong = length + last.length > MAX_RECORD_BYTES;
          yield isTooLong
            ? { number: begins, bytes: Buffer.alloc(0), problem: TOO_LONG }
            : { number: begins, bytes: Buffer.concat([...parts, last]) };
          parts = undefined;
        }
      }
    }
    if (parts === undefined) continue;
    const rest = chunk.subarray(start);
    parts.push(rest);
    length += rest.length;
    if (length > MAX_RECORD_BYTES) parts = [];
  }
  if (!isBegun || depth !== 0)
    throw new UnreadableTextError(`is no whole JSON ${field === undefined ? 'list' : 'object'}`);
}
