import type { Locale } from '@gatehouse/db/tables/member-tables';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { MailContent } from '@gatehouse/runtime/mail/mail-driver';
import type { MailBrand } from './mail-brand.js';
import type { MailKind } from './mail-kind.js';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const OR_OPEN: Readonly<Record<Locale, string>> = {
  en: 'Or open this address',
  de: 'Oder öffne diese Adresse',
};

/** More than any mail program shows. Addresses and names alone may have more. */
const MAX_SUBJECT = 255;

function shortened(subject: string): string {
  const letters = [...subject];
  return letters.length <= MAX_SUBJECT ? subject : `${letters.slice(0, MAX_SUBJECT - 1).join('')}…`;
}

/** Renders a mail of one kind and language as plain text and HTML with the same content. The HTML loads nothing. */
export function renderMail<Data>(
  kind: MailKind<Data>,
  data: Data,
  { locale, brand }: { readonly locale: Locale; readonly brand: MailBrand },
): RenderedMail {
  const composed = kind.compose[locale](data);
  const content = { ...composed, subject: shortened(composed.subject) };
  return {
    subject: content.subject,
    text: asText(content, brand),
    html: asHtml(content, locale, brand),
  };
}

/** An address as people read it. */
const shownAddress = (support: string): string => support.replace(/^mailto:/, '');

function asText({ paragraphs, action, code, closing }: MailContent, { name, support }: MailBrand): string {
  const blocks = [...paragraphs];
  if (code !== undefined) blocks.push(`    ${code}`);
  if (action) blocks.push(`${action.label}:\n${action.link}`);
  const signature = support === undefined ? name : `${name}\nSupport: ${shownAddress(support)}`;
  return `${[...blocks, ...closing, `-- \n${signature}`].join('\n\n')}\n`;
}

const FONT =
  "font-family:'Atkinson Hyperlegible Next',system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Words break only if a line has no room for them, as the links of mails do. */
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';

/** The dark theme. Programs without media queries keep the light one, or darken it themselves. */
function styleSheet({ dark }: MailBrand): string {
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '@media (prefers-color-scheme:dark){',
    `.page{background-color:${dark.page}!important}`,
    `.card{background-color:${dark.card}!important;border-color:${dark.line}!important}`,
    `.ink{color:${dark.ink}!important}`,
    `.quiet{color:${dark.quiet}!important}`,
    `.link{color:${dark.accent}!important}`,
    `.button{background-color:${dark.accent}!important;color:${dark.onAccent}!important}`,
    `.mark{border-color:${dark.ink}!important}`,
    '}',
    '@media (max-width:480px){.card{padding:24px 20px!important}}',
  ].join('');
}

const TABLE = 'role="presentation" style="border-collapse:collapse;border-spacing:0';

/** The doorway with its lamp, drawn by borders: mail programs show no SVG, and pictures would have to be loaded. */
function mark({ light }: MailBrand): string {
  return [
    `<td class="mark" style="width:14px;height:21px;padding:0;border:3px solid ${light.ink};border-bottom-width:0;text-align:center;vertical-align:middle">`,
    '<div style="width:4px;height:7px;margin:0 auto;background-color:#c77c11;font-size:0;line-height:0">&nbsp;</div>',
    '</td><td style="width:10px;padding:0;font-size:0">&nbsp;</td>',
  ].join('');
}

function head(brand: MailBrand): string {
  const name = `<td class="ink" style="padding:0;${FONT};font-size:18px;line-height:24px;font-weight:700;color:${brand.light.ink};${BREAKS}">${escapeHtml(brand.name)}</td>`;
  return `<table ${TABLE}"><tr>${brand.hasMark ? mark(brand) : ''}${name}</tr></table>`;
}

/** Where support is, below the card. */
function foot({ light, support }: MailBrand): string[] {
  if (support === undefined) return [];
  const link = `<a class="link" href="${escapeHtml(support)}" style="color:${light.accent};${BREAKS}">${escapeHtml(shownAddress(support))}</a>`;
  return [
    `<tr><td class="quiet" style="padding:16px 4px 0;${FONT};font-size:14px;line-height:21px;color:${light.quiet};${BREAKS}">Support: ${link}</td></tr>`,
  ];
}

function asHtml(
  { subject, paragraphs, action, code, closing }: MailContent,
  locale: Locale,
  brand: MailBrand,
): string {
  const { light } = brand;
  const ink = `${FONT};font-size:16px;line-height:24px;color:${light.ink};${BREAKS}`;
  const small = `${FONT};font-size:14px;line-height:21px;color:${light.quiet};${BREAKS}`;
  const blocks = paragraphs.map(
    (text) => `<p class="ink" style="margin:0 0 16px;${ink}">${escapeHtml(text)}</p>`,
  );
  if (code !== undefined)
    blocks.push(
      `<p class="ink" style="margin:8px 0 24px;font:700 28px/36px ui-monospace,Consolas,monospace;letter-spacing:4px;color:${light.ink}">${escapeHtml(code)}</p>`,
    );
  if (action) {
    const link = escapeHtml(action.link);
    blocks.push(
      `<p style="margin:24px 0;${FONT}"><a class="button" href="${link}" style="display:inline-block;padding:12px 24px;border-radius:3px;background-color:${light.accent};color:${light.onAccent};font-size:16px;line-height:24px;font-weight:700;text-decoration:none">${escapeHtml(action.label)}</a></p>`,
      `<p class="quiet" style="margin:0 0 16px;${small}">${OR_OPEN[locale]}:<br>${anchor(link, light.accent)}</p>`,
    );
  }
  blocks.push(
    ...closing.map(
      (text) =>
        `<p class="quiet" style="margin:0 0 12px;${small}">${linkedText(text, (link) => anchor(link, light.accent))}</p>`,
    ),
  );
  return [
    '<!doctype html>',
    `<html lang="${locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>${styleSheet(brand)}</style>`,
    '</head>',
    `<body class="page" style="margin:0;padding:0;background-color:${light.page}">`,
    `<table ${TABLE};width:100%;table-layout:fixed"><tr><td class="page" style="padding:24px 12px;background-color:${light.page}">`,
    // Outlook on Windows knows no `max-width`.
    '<!--[if mso]><table role="presentation" align="center" width="600"><tr><td><![endif]-->',
    `<table ${TABLE};width:100%;max-width:600px;margin:0 auto;table-layout:fixed">`,
    `<tr><td style="padding:0 4px 16px">${head(brand)}</td></tr>`,
    `<tr><td class="card" style="padding:32px;border:1px solid ${light.line};background-color:${light.card}">`,
    `<h1 class="ink" style="margin:0 0 16px;${FONT};font-size:22px;line-height:28px;font-weight:700;color:${light.ink};${BREAKS}">${escapeHtml(subject)}</h1>`,
    ...blocks,
    '</td></tr>',
    ...foot(brand),
    '</table>',
    '<!--[if mso]></td></tr></table><![endif]-->',
    '</td></tr></table>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** @param link escaped */
function anchor(link: string, colour: string): string {
  return `<a class="link" href="${link}" style="color:${colour};${BREAKS}">${link}</a>`;
}

/** An address in a text. Quotation marks around it, and punctuation at its end, belong to the sentence. */
const LINK = /https?:\/\/[^\s<>"“”„‟‘’‚«»]*[^\s<>"“”„‟‘’‚«».,;:!?'…()[\]{}]/g;

/**
 * A text as HTML, with links to follow.
 * @param anchor makes the element of a link, which is escaped
 */
export function linkedText(text: string, anchor: (link: string) => string): string {
  let html = '';
  let end = 0;
  for (const { 0: link, index } of text.matchAll(LINK)) {
    html += escapeHtml(text.slice(end, index)) + anchor(escapeHtml(link));
    end = index + link.length;
  }
  return html + escapeHtml(text.slice(end));
}
