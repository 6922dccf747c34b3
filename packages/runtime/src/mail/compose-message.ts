import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from './mail-driver.js';

/** A comment may follow the address (RFC 5322, section 3.2.2). */
const COMMENT = /\s*\([^()]*\)\s*$/;
const ADDRESS_OF_SENDER = /<([^<>]*)>\s*$/;

/** A mail in nodemailer's form. Its Message-ID is the same at every attempt, in the sender's domain (RFC 5322, section 3.6.4). */
export function composeMessage(from: string, mail: OutgoingMail): SendMailOptions {
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.idempotencyKey}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(from: string): string {
  const sender = from.replace(COMMENT, '');
  const address = ADDRESS_OF_SENDER.exec(sender)?.[1] ?? sender;
  const domain = address.slice(address.lastIndexOf('@') + 1).trim();
  // An address may have the number of a host in brackets (RFC 5321, section 4.1.3), which is no domain.
  return domainToASCII(domain) || (/^\[[\w.:]+\]$/.test(domain) ? domain : 'localhost');
}
