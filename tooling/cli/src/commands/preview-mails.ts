import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCALES } from '@gatehouse/features/core/member-view';
import { previewMails as preview } from '@gatehouse/features/mail/preview-mails';
import { defineCommand } from '../define-command.js';
import { operatorPath } from '../operator-audit.js';

const DEFAULT_FOLDER = '.data/mail-preview';

export const previewMails = defineCommand({
  name: 'preview-mails',
  summary: `write every mail in every language as text and HTML into a folder, to look at`,
  usage: [`[<folder>, ${DEFAULT_FOLDER} unless named]`],
  words: { least: 0, most: 1 },
  async run({ env, say }, { positionals: [named] }) {
    const folder = named === undefined ? DEFAULT_FOLDER : operatorPath({ env }, named);
    await mkdir(folder, { recursive: true });
    for (const locale of LOCALES) {
      const mails = preview({ APP_URL: env['APP_URL'] ?? 'http://127.0.0.1:4000' }, locale);
      for (const [kind, { subject, text, html }] of Object.entries(mails)) {
        const name = `${kind}.${locale}`;
        await writeFile(join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`);
        await writeFile(join(folder, `${name}.html`), html);
        say(`${join(folder, name)}.{txt,html}  ${subject}`);
      }
    }
    return 0;
  },
});
