import { restoreFile } from '@gatehouse/db';
import { defineCommand } from '../define-command.js';
import { embeddedFile } from '../embedded-file.js';
import { createProgressBar, type ProgressBar } from '../progress-bar.js';
import { sayContent } from '../say-content.js';
import { KEEP_OPTIONS, keptBy, settleAfterRestore } from '../settle-after-restore.js';

export const restore = defineCommand({
  name: 'restore',
  summary:
    'put a backup in the place of the embedded database, with every service stopped; the database of before is kept',
  usage: ['<file>'],
  words: { least: 1, most: 1 },
  options: KEEP_OPTIONS,
  async run(context, { values, positionals: [from = ''] }) {
    const startedAt = performance.now();
    const path = embeddedFile(context);
    let bar: ProgressBar | undefined;
    let shown = 0;
    const { former, bytes, pending, ...content } = await restoreFile(path, from, {
      nowMs: Date.now(),
      prepare: async (db) => void (await settleAfterRestore(context, db, keptBy(values))),
      onProgress(done, all) {
        bar ??= createProgressBar({ title: 'bytes', total: all, ...context });
        bar.advance(done - shown);
        shown = done;
      },
    });
    sayContent(context, content);
    if (pending.length > 0) context.say(`${pending.length} migrations applied.`);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    context.say(`${path} is restored: ${bytes.toLocaleString('en')} bytes, in ${seconds} s.`);
    if (former !== undefined) context.say(`The database of before is ${former}.`);
    context.say('Start every service anew, on each machine.');
    return 0;
  },
});
