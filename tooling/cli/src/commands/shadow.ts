import { parseUrl } from '@gatehouse/auth-core';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { createProgressCount } from '../progress-bar.js';
import { readList } from '../read-list.js';
import { readDigestKey } from '../record/digest-key.js';
import type { RecordedLine } from '../record/recorded-exchange.js';
import { createSecretDigests } from '../record/secret-digests.js';
import { playRecording } from '../shadow/play-recording.js';
import { readRecording } from '../shadow/read-recording.js';
import { createSecretBindings } from '../shadow/secret-bindings.js';
import { createShadowReport, renderJson, renderReport } from '../shadow/shadow-report.js';

const USAGE =
  'usage: gatehouse shadow <recording> --old <url> --new <url> --key <file> [--secrets <file>] [--writes] [--json]';

export const shadow = defineCommand({
  name: 'shadow',
  summary: 'play a recording against the replaced system and this one, and tell where they differ',
  usage: [
    '<recording> --old <url> --new <url> --key <file> [--secrets <file>] [--writes] [--json]; see docs/shadow.md',
  ],
  words: { least: 1, most: 1 },
  options: {
    old: { type: 'string', value: '<url>', about: 'the replaced system, or a copy of it' },
    new: { type: 'string', value: '<url>', about: 'the service of Gatehouse in its place' },
    key: { type: 'string', value: '<file>', about: 'with the key of the digests' },
    secrets: {
      type: 'string',
      value: '<file>',
      about:
        'passwords, secrets and tokens that the recording has as digests, one a line; - for standard input',
    },
    writes: {
      type: 'boolean',
      default: false,
      about: 'play requests that write too: only against copies of both systems',
    },
    concurrency: {
      type: 'string',
      value: '<number>',
      default: '4',
      about: 'how many reading requests are under way at once; 4 unless given',
    },
    timeout: {
      type: 'string',
      value: '<seconds>',
      default: '10',
      about: 'how long an answer may take; 10 unless given',
    },
    json: { type: 'boolean', default: false, about: 'print the report as lines of JSON' },
  },
  async run(context, { values, positionals: [named = ''] }) {
    const { old, new: other, key } = values;
    if (old === undefined || other === undefined || key === undefined) {
      context.say(USAGE);
      return 2;
    }
    const digests = createSecretDigests(await readDigestKey(context, key));
    const bindings = createSecretBindings(digests, await readSecrets(context, values.secrets));
    const progress = createProgressCount({
      title: 'played',
      draw: values.json ? () => undefined : context.draw,
    });
    const report = createShadowReport();
    const { tokenHeader, lines } = await beginReading(readRecording(context, named, digests));
    const options = {
      old: systemIn('--old', old),
      new: systemIn('--new', other),
      tokenHeader,
      writes: values.writes,
      concurrency: numberIn('--concurrency', values.concurrency, 64),
      timeoutMs: numberIn('--timeout', values.timeout, 600) * 1000,
      bindings,
    };
    await playRecording(lines, options, (played) => {
      report.add(played);
      if ('exchange' in played) progress.advance(1);
    });
    const result = report.read();
    for (const line of (values.json ? renderJson : renderReport)(result)) context.say(line);
    if (result.played === 0) throw new CommandError('No request could be played.');
    return result.endpoints.some(({ different }) => different > 0) ? 1 : 0;
  },
});

/** Reads the first line, which says how the recording was made. */
async function beginReading(lines: AsyncGenerator<RecordedLine, void>) {
  const { value: first } = await lines.next();
  if (first?.is !== 'recording') throw new CommandError('The recording is empty.');
  return { tokenHeader: first.tokenHeader, lines };
}

async function readSecrets(context: CommandContext, named: string | undefined): Promise<string[]> {
  const secrets: string[] = [];
  if (named === undefined) return secrets;
  for await (const { number, text, problem } of readList(context, named)) {
    if (text === undefined) throw new CommandError(`${named}, line ${number}: ${problem}.`);
    if (text !== '') secrets.push(text);
  }
  return secrets;
}

/** @throws {CommandError} */
function systemIn(name: string, text: string): URL {
  const url = parseUrl(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url;
  throw new CommandError(`${name}: the address of a system, as in http://127.0.0.1:3000.`);
}

/** @throws {CommandError} */
function numberIn(name: string, text: string, most: number): number {
  const number = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new CommandError(`${name}: a whole number from 1 to ${most}.`);
}
