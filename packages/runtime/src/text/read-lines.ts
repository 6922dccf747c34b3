/** A text that is not read. The message says why, and continues a sentence that begins with the name of the file. */
export class UnreadableTextError extends Error {
  override readonly name = 'UnreadableTextError';
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

const UTF_16 = 'is UTF-16, or no text: save it as UTF-8';

/** The advice about bytes that are not UTF-8. */
const NOT_UTF_8 = 'is not UTF-8, perhaps Latin-1: save the file as UTF-8';

/**
 * Decodes a text in UTF-8 and skips the byte-order marks at its beginning: each program that adds one may find another there. Bytes of another encoding are refused and not replaced, so that no name and
 * no password changes silently.
 * @throws UnreadableTextError that names UTF-16, or the first line that is not UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  requireNoUtf16(bytes);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  let number = 0;
  for (const line of Buffer.from(bytes).toString('latin1').split('\n')) {
    number += 1;
    if (decodeUtf8(Buffer.from(line, 'latin1')) === undefined) break;
  }
  throw new UnreadableTextError(`line ${number} ${NOT_UTF_8}`);
}

/** Undefined for bytes that are not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes).replace(/^\uFEFF+/, '');
  } catch {
    return undefined;
  }
}

/** @throws UnreadableTextError for a byte-order mark of UTF-16, and for the NUL bytes of UTF-16 without one */
function requireNoUtf16(bytes: Uint8Array): void {
  const [first = 0, second = 0] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || bytes.includes(0)) throw new UnreadableTextError(UTF_16);
}

/** A line of a text, counted from 1, without its break; or why it cannot be read. */
export type TextLine =
  | { readonly number: number; readonly text: string; readonly problem?: undefined }
  | { readonly number: number; readonly text?: undefined; readonly problem: string };

const MAX_LINE_LENGTH = 1024 * 1024;

const TOO_LONG = 'has more than 1 MB';

/** A CR at the end of what has arrived may be half of a break. */
const BREAK = /\r\n|\n|\r(?!$)/;

/**
 * The lines of a text in UTF-8, as they arrive. They end at LF, CR LF or CR: the other characters that end lines in Unicode may
 * occur inside a JSON string, where Node's readline would split it. Byte-order marks at the beginning of lines are skipped, as joined files
 * have several. A line of more than 1 MB is skipped up to its end.
 * @throws UnreadableTextError for UTF-16
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let number = 0;
  for await (const line of splitLines(chunks)) {
    number += 1;
    if (line === undefined) {
      yield { number, problem: TOO_LONG };
      continue;
    }
    const bytes = Buffer.from(line, 'latin1');
    requireNoUtf16(bytes);
    const text = decodeUtf8(bytes);
    yield text === undefined ? { number, problem: NOT_UTF_8 } : { number, text };
  }
}

/** Lines with one character for each byte: no byte of a longer character in UTF-8 looks like a break. Undefined for one that is too long. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split(BREAK);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield isTooLong || line.length > MAX_LINE_LENGTH ? undefined : line;
      isTooLong = false;
    }
    if (rest.length > MAX_LINE_LENGTH + 1) {
      isTooLong = true;
      rest = rest.endsWith('\r') ? '\r' : '';
    }
  }
  const last = rest.replace(/\r$/, '');
  if (isTooLong || last.length > MAX_LINE_LENGTH) yield undefined;
  else if (rest !== '') yield last;
}
