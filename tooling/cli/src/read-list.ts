import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import {
  decodeText,
  readLines,
  type TextLine,
  UnreadableTextError,
} from '@gatehouse/runtime/text/read-lines';
import type { CommandContext } from './command.js';
import { CommandError } from './command-error.js';
import { operatorPath } from './operator-audit.js';

/**
 * The lines of a list that the operator names: a file, or `-` for standard input.
 * @throws {CommandError} if it is not text in UTF-8
 */
export async function* readList(context: CommandContext, named: string): AsyncGenerator<TextLine> {
  const input: AsyncIterable<Buffer> =
    named === '-' ? process.stdin : createReadStream(operatorPath(context, named));
  try {
    yield* readLines(input);
  } catch (error) {
    throw asCommandError(error, named);
  }
}

/**
 * The whole of standard input.
 * @throws {CommandError} if it is not text in UTF-8
 */
export async function readStandardInput(): Promise<string> {
  try {
    return decodeText(await buffer(process.stdin));
  } catch (error) {
    throw asCommandError(error, '-');
  }
}

function asCommandError(error: unknown, named: string): unknown {
  if (!(error instanceof UnreadableTextError)) return error;
  return new CommandError(`${named === '-' ? 'Standard input' : named} ${error.message}.`, { cause: error });
}

/** The lines of a list. */
export async function countLines(context: CommandContext, named: string): Promise<number> {
  let count = 0;
  for await (const { number } of readList(context, named)) count = number;
  return count;
}

const NUMBERED = /^(?:(?:line|member) )?(\d{1,15})\b/;

/**
 * The numbers with which the lines of a list begin, such as `12`, `line 12: …` or `member 12: …`.
 * @throws {CommandError} for any other line that is neither empty nor a comment
 */
export async function readNumbers(
  context: CommandContext,
  named: string | undefined,
): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  if (named === undefined) return numbers;
  for await (const { number, text = '', problem } of readList(context, named)) {
    if (problem === undefined && (text.trim() === '' || text.startsWith('#'))) continue;
    const found = NUMBERED.exec(text)?.[1];
    if (found === undefined)
      throw new CommandError(`${named}, line ${number}: ${problem ?? 'does not begin with a number'}.`);
    numbers.add(Number(found));
  }
  return numbers;
}
