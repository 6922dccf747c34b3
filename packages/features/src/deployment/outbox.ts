import { AppError } from '@gatehouse/auth-core';
import { findMail, listNewestMails, type MailRow } from '@gatehouse/db/queries/list-mails';
import { listView } from '@gatehouse/http/page';
import { pageAbout } from '@gatehouse/http/pages/html-page';
import { send, sendJson } from '@gatehouse/http/rest/reply';
import type { RawAbout, RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { openMail } from '../mail/queue-mail.js';
import { sendProductPage } from '../pages/product-page.js';
import { LIVE, LIVE_SCRIPT, mailView, NEWEST, type OutboxMail, outboxPage } from './outbox-page.js';

/** Whether mails stay in the outbox, and the request comes from a person at this machine who may read them. */
export function showsOutbox({ services: { mail, config }, call }: Context): boolean {
  return mail.name === 'outbox' && isLocalDeveloper(config, call);
}

const SHOWN = 50;

/** Mails have their own styles; they load nothing and have no scripts. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'";

const outboxAbout: RawAbout = {
  tag: 'pages',
  answers: {
    200: {
      description: 'The mails, newest first: JSON, or a page where HTML is accepted',
      content: {
        'application/json': listView(mailView).extend({ status: z.literal(true) }),
        'text/html': z.string(),
      },
    },
  },
  refuses: ['not_found', 'unavailable'],
};

/** The development outbox: all mails, for a browser and as JSON. In production it does not exist. */
export const outbox: RawEndpoint<Context> = {
  summary: 'The newest mails (development only)',
  about: outboxAbout,
  handle: async (exchange) => {
    requireDeveloper(exchange);
    const { request, response, query, ctx } = exchange;
    const mails = (await listNewestMails(ctx.services.db, SHOWN)).map((row) =>
      toOutboxMail(ctx.services, row),
    );
    if (request.headers.accept?.includes('text/html')) {
      const shown = { words: query.get('q') ?? '', mailId: query.get('mail') };
      sendProductPage(ctx, response, outboxPage(mails, shown));
      return;
    }
    sendJson(response, 200, { status: true, data: mails, page: { limit: SHOWN, nextCursor: null } });
  },
};

/** One mail of the outbox. */
export const outboxMail: RawEndpoint<Context> = {
  summary: 'One mail as its reader sees it (development only)',
  about: pageAbout({
    tag: 'pages',
    description:
      'The mail; for `newest` the id of the newest as JSON, and for `live.js` the script that asks for it',
    params: { id: z.string().max(15) },
    refuses: ['not_found', 'unavailable'],
  }),
  handle: async (exchange) => {
    requireDeveloper(exchange);
    const { response, params, ctx } = exchange;
    const id = params['id'] ?? '';
    if (id === LIVE) {
      send(response, 200, 'text/javascript; charset=utf-8', LIVE_SCRIPT);
      return;
    }
    if (id === NEWEST) {
      const [newest] = await listNewestMails(ctx.services.db, 1);
      sendJson(response, 200, { status: true, data: { id: newest?.id ?? null } });
      return;
    }
    const row = /^\d{1,15}$/.test(id) ? await findMail(ctx.services.db, Number(id)) : undefined;
    if (!row) throw new AppError('not_found');
    response.setHeader('Content-Security-Policy', MAIL_POLICY);
    const { html } = toOutboxMail(ctx.services, row);
    // Links open beside the outbox, not inside its frame.
    send(response, 200, 'text/html; charset=utf-8', html.replace('<head>', '<head><base target="_blank">'));
  },
};

function requireDeveloper({ ctx }: RawExchange<Context>): void {
  if (!showsOutbox(ctx)) throw new AppError('not_found');
}

/** A mail with its content in the clear; empty if that is gone. */
export function toOutboxMail(services: Services, row: MailRow): OutboxMail {
  const content =
    row.text === ''
      ? { subject: '', text: '', html: '' }
      : openMail(services.cipher, row.idempotencyKey, row);
  const { id, kind, recipient, createdAtMs, state } = row;
  return { id, kind, to: recipient, createdAt: new Date(createdAtMs).toISOString(), state, ...content };
}
