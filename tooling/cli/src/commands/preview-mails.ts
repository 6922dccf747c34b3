import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { previewMails as preview } from '@gatehouse/features/mail/preview-mails';
import type { Command } from '../command.js';

const DEFAULT_FOLDER = '.data/mail-preview';

export const previewMails: Command = {
  name: 'preview-mails',
  summary: `write every mail as text and HTML into a folder (${DEFAULT_FOLDER} unless named), to look at`,
  async run({ args, env, say }) {
    const folder = args[0] ?? DEFAULT_FOLDER;
    await mkdir(folder, { recursive: true });
    const mails = preview({ APP_URL: env['APP_URL'] ?? 'http://127.0.0.1:4000' });
    for (const [name, { subject, text, html }] of Object.entries(mails)) {
      await writeFile(join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`);
      await writeFile(join(folder, `${name}.html`), html);
      say(`${join(folder, name)}.{txt,html}  ${subject}`);
    }
    return 0;
  },
};
