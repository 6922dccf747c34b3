import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './mail-driver.js';

/** A mail in nodemailer's form. Its Message-ID is the same at every attempt. */
export function composeMessage(from: string, mail: OutgoingMail): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.idempotencyKey}@gatehouse>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
