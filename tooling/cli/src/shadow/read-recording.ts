import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { readList } from '../read-list.js';
import { parseJson } from '../record/json.js';
import { KEY_SAMPLE, type RecordedLine, recordedLine } from '../record/recorded-exchange.js';
import type { SecretDigests } from '../record/secret-digests.js';

/**
 * The lines of a recording. A last line that is cut, because the recording was killed, is left out.
 * @throws {CommandError} if it is no recording, or has another key
 */
export async function* readRecording(
  context: CommandContext,
  named: string,
  digests: SecretDigests,
): AsyncGenerator<RecordedLine, void> {
  let cut: number | undefined;
  for await (const { number, text = '' } of readList(context, named)) {
    if (cut !== undefined) throw new CommandError(`${named}, line ${cut}: no line of a recording.`);
    const { data: line } = recordedLine.safeParse(parseJson(text));
    if (line === undefined) {
      cut = number;
      continue;
    }
    if ((number === 1) !== (line.is === 'recording'))
      throw new CommandError(`${named} is no recording: gatehouse record makes one.`);
    if (line.is === 'recording' && line.key !== digests.of(KEY_SAMPLE))
      throw new CommandError(`The key of --key is not that of ${named}.`);
    yield line;
  }
  if (cut === 1) throw new CommandError(`${named} is no recording: gatehouse record makes one.`);
}
