import { decodeUtf8, NOT_UTF_8, requireNoUtf16, UnreadableTextError } from './decode-text.js';

/** A line of a text, counted from 1, without its break; or why it cannot be read. */
export type TextLine =
  | { readonly number: number; readonly text: string; readonly problem?: undefined }
  | { readonly number: number; readonly text?: undefined; readonly problem: string };

const MAX_LINE_LENGTH = 1024 * 1024;
/** A CR at the end of what has arrived may be half of a break. */
const BREAK = /\r\n|\n|\r(?!$)/;

/**
 * The lines of a text in UTF-8, as they arrive. They end at LF, CR LF or CR: the other characters that end lines in Unicode may
 * occur inside a JSON string, where Node's readline would split it. Byte-order marks at the beginning of lines are skipped, as joined files
 * have several.
 * @throws UnreadableTextError for UTF-16, and for a line of more than 1 MB
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let number = 0;
  for await (const line of splitLines(chunks)) {
    number += 1;
    const bytes = Buffer.from(line, 'latin1');
    requireNoUtf16(bytes);
    const text = decodeUtf8(bytes);
    yield text === undefined ? { number, problem: NOT_UTF_8 } : { number, text };
  }
}

/** Lines with one character for each byte: no byte of a longer character in UTF-8 looks like a break. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split(BREAK);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) throw new UnreadableTextError('has a line of more than 1 MB');
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
