import type { IncomingMessage } from 'node:http';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/is-local-developer';
import type { Services } from '../core/context.js';

/** Whether mails stay in the outbox, and the request comes from a person at this machine who may read them. */
export function showsOutbox({ mail, config }: Services, request: IncomingMessage): boolean {
  return mail.name === 'outbox' && isLocalDeveloper(config, request);
}
