import { backUpFile } from '@gatehouse/db';
import { defineCommand } from '../define-command.js';
import { embeddedFile } from '../embedded-file.js';
import { createProgressBar, type ProgressBar } from '../progress-bar.js';
import { sayContent } from '../say-content.js';

export const backup = defineCommand({
  name: 'backup',
  summary: 'copy the embedded database into a file, as it is at one moment, while the services run',
  usage: ['<file>'],
  words: { least: 1, most: 1 },
  options: {
    overwrite: { type: 'boolean', default: false, about: 'replace the file if it exists' },
  },
  async run(context, { values: { overwrite }, positionals: [to = ''] }) {
    const startedAt = performance.now();
    let bar: ProgressBar | undefined;
    let shown = 0;
    const { bytes, ...content } = await backUpFile(embeddedFile(context), to, {
      mayOverwrite: overwrite,
      onProgress(done, most) {
        bar ??= createProgressBar({ title: 'bytes', total: most + 1, ...context });
        bar.advance(done - shown);
        shown = done;
      },
    });
    sayContent(context, content);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    context.say(`${to} has ${bytes.toLocaleString('en')} bytes, written and checked in ${seconds} s.`);
    return 0;
  },
});
