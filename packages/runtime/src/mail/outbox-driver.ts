import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMessage } from './compose-message.js';
import type { MailDriver } from './mail-driver.js';

/**
 * Sends nothing. It writes each mail as an `.eml` file that only its owner can read, and keeps it readable in
 * the database. A second delivery of a mail replaces its file.
 */
export function createOutboxDriver(options: { directory: string; from: string }): MailDriver {
  return {
    name: 'outbox',
    keepsContent: true,
    async deliver(mail) {
      // Loaded with the first mail: few nodes send one soon, and it is 39 modules.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const { message } = await transport.sendMail(composeMessage(options.from, mail));
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      const path = join(options.directory, `${mail.kind}-${mail.idempotencyKey}.eml`);
      await writeFile(`${path}.part`, message, { mode: 0o600 });
      await rename(`${path}.part`, path);
      return { outcome: 'sent' };
    },
  };
}
