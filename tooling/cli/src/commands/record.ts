import { parseUrl } from '@gatehouse/auth-core';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { interrupted } from '../interrupted.js';
import { operatorPath } from '../operator-audit.js';
import { describeExchange } from '../record/describe-exchange.js';
import { newDigestKey, readDigestKey } from '../record/digest-key.js';
import { openRecording } from '../record/open-recording.js';
import { KEY_SAMPLE } from '../record/recorded-exchange.js';
import { startRecordingProxy } from '../record/recording-proxy.js';
import { createSecretDigests } from '../record/secret-digests.js';

/** More than the largest body that Gatehouse accepts. */
const KEPT_BYTES = 256 * 1024;

const MEGABYTE = 1024 * 1024;

export const record = defineCommand({
  name: 'record',
  summary: 'stand before the replaced system and write down what is asked and answered, without secrets',
  usage: ['--listen <port> --to <url> [--file <file>] [--key <file>]; see docs/shadow.md'],
  options: {
    listen: {
      type: 'string',
      value: '<port>',
      about: 'where it listens on this machine; 0.0.0.0:<port> for every address of it',
    },
    to: { type: 'string', value: '<url>', about: 'the replaced system, as in http://127.0.0.1:3000' },
    file: {
      type: 'string',
      value: '<file>',
      default: 'recording.ndjson',
      about: 'the recording, which only you may read; recording.ndjson unless given',
    },
    key: {
      type: 'string',
      value: '<file>',
      about: 'with the key of the digests; without it one is made and printed',
    },
    megabytes: {
      type: 'string',
      value: '<number>',
      default: '1024',
      about: 'how large the recording may become; 1024 unless given',
    },
  },
  async run(context, { values }) {
    const stopped = interrupted();
    const { host, port } = addressIn(values.listen);
    const to = targetIn(values.to);
    const maxBytes = megabytesIn(values.megabytes) * MEGABYTE;
    const made = values.key === undefined ? newDigestKey() : undefined;
    const key =
      values.key === undefined
        ? Buffer.from(made ?? '', 'base64url')
        : await readDigestKey(context, values.key);
    const digests = createSecretDigests(key);
    const tokenHeader = (context.env['TOKEN_HEADER_KEY'] ?? 'Token').toLowerCase();
    const recording = await openRecording({
      path: operatorPath(context, values.file),
      maxBytes,
      first: {
        is: 'recording',
        version: 1,
        at: new Date().toISOString(),
        key: digests.of(KEY_SAMPLE),
        tokenHeader,
      },
      say: context.say,
    });
    {
      await using proxy = await startRecordingProxy({
        host,
        port,
        to,
        keptBytes: KEPT_BYTES,
        passed(exchange) {
          recording.add(() => describeExchange(exchange, { digests, tokenHeader, keptBytes: KEPT_BYTES }));
        },
      }).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
        throw new CommandError(`Something listens on port ${port} already: end it, or name another.`);
      });
      if (made !== undefined)
        context.say(`The key of the digests, which is kept nowhere and which shadow needs: ${made}`);
      context.say(
        `Requests to http://${host}:${proxy.port} go to ${to.origin}, and into ${values.file}, until Ctrl-C.`,
      );
      await stopped;
    }
    await recording.close();
    const { exchanges, leftOut, undescribed } = recording;
    const unwritten = leftOut - undescribed;
    context.say(
      `${exchanges} exchanges are in ${values.file}${unwritten === 0 ? '' : `, and ${unwritten} are not: it is full`}.`,
    );
    if (undescribed > 0)
      context.say(`${undescribed} exchanges are not in it, because they could not be described.`);
    return 0;
  },
});

/** @throws {CommandError} */
function addressIn(text = ''): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const number = Number(port);
  if (port !== '' && number <= 65_535) return { host, port: number };
  throw new CommandError('--listen: a port, as in 8080, or an address and a port, as in 0.0.0.0:8080.');
}

/** @throws {CommandError} */
function targetIn(text = ''): URL {
  const url = parseUrl(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return url;
  throw new CommandError('--to: the address of the replaced system, as in http://127.0.0.1:3000.');
}

/** @throws {CommandError} */
function megabytesIn(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new CommandError('--megabytes: a whole number.');
}
