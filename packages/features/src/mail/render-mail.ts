import type { Locale } from '@gatehouse/db/tables/member-tables';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { MailContent } from '@gatehouse/runtime/mail/mail-driver';
import type { MailKind } from './mail-kind.js';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const BODY = 'margin:0;padding:24px;background:#f4f4f2;font:16px/1.5 system-ui,sans-serif;color:#1c1c1a';
const CARD = 'max-width:32rem;margin:0 auto;padding:32px;background:#fff;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:12px 20px;background:#1f4f8f;color:#fff;border-radius:6px;text-decoration:none;font-weight:600';
const CODE = 'font:700 28px/1 ui-monospace,monospace;letter-spacing:.2em';
const SMALL = 'font-size:14px;color:#5a5a55';

const OR_OPEN: Readonly<Record<Locale, string>> = {
  en: 'Or open this address',
  de: 'Oder öffne diese Adresse',
};

/**
 * Renders a mail of one kind and language as plain text and HTML with the same content. The HTML loads nothing.
 * @param product the name that the text is signed with
 */
export function renderMail<Data>(
  kind: MailKind<Data>,
  data: Data,
  { locale, product }: { readonly locale: Locale; readonly product: string },
): RenderedMail {
  const content = kind.compose[locale](data);
  return { subject: content.subject, text: asText(content, product), html: asHtml(content, locale) };
}

function asText({ paragraphs, action, code, closing }: MailContent, product: string): string {
  const blocks = [...paragraphs];
  if (code !== undefined) blocks.push(`    ${code}`);
  if (action) blocks.push(`${action.label}:\n${action.link}`);
  return `${[...blocks, ...closing, `-- \n${product}`].join('\n\n')}\n`;
}

function asHtml({ subject, paragraphs, action, code, closing }: MailContent, locale: Locale): string {
  const blocks = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`);
  if (code !== undefined) blocks.push(`<p style="${CODE}">${escapeHtml(code)}</p>`);
  if (action) {
    const link = escapeHtml(action.link);
    blocks.push(`<p><a href="${link}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`);
    blocks.push(`<p style="${SMALL}">${OR_OPEN[locale]}: <a href="${link}">${link}</a></p>`);
  }
  blocks.push(...closing.map((text) => `<p style="${SMALL}">${linked(text)}</p>`));
  return [
    '<!doctype html>',
    `<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${BODY}"><div style="${CARD}" role="article">`,
    `<h1 style="font-size:22px">${escapeHtml(subject)}</h1>`,
    ...blocks,
    '</div></body></html>',
    '',
  ].join('\n');
}

/** Text with clickable links. */
function linked(text: string): string {
  return escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
}
