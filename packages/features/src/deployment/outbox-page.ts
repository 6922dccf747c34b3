import { escapeHtml, type Page } from '@gatehouse/http/pages/html-page';
import { z } from 'zod';
import { linkedText } from '../mail/render-mail.js';

/** A mail as the outbox answers and shows it. */
export const mailView = z.object({
  id: z.int(),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  createdAt: z.iso.datetime(),
  state: z.string(),
  text: z.string(),
  html: z.string(),
});

export type OutboxMail = z.output<typeof mailView>;

/** The name of the script below the path of the outbox. */
export const LIVE = 'live.js';

/** The name of the newest mail's id below the path of the outbox. */
export const NEWEST = 'newest';

/** Reloads when a new mail arrives, unless the search field has focus. The mail that is open stays open. */
export const LIVE_SCRIPT = `const list = document.querySelector('[data-newest]');
const isBusy = () => document.hidden || document.activeElement?.matches('input');
async function newest() {
  const answer = await fetch('/dev/outbox/${NEWEST}', { signal: AbortSignal.timeout(10000) });
  return answer.ok ? String((await answer.json()).data.id ?? '') : list.dataset.newest;
}
async function look() {
  // While the service restarts there is no answer, or one of another program.
  const id = isBusy() ? list.dataset.newest : await newest().catch(() => list.dataset.newest);
  if (id === list.dataset.newest || isBusy()) {
    setTimeout(look, 2000);
    return;
  }
  const here = new URL(location.href);
  if (list.dataset.open !== '') here.searchParams.set('mail', list.dataset.open);
  if (here.href === location.href) location.reload();
  else location.replace(here.href);
}
setTimeout(look, 2000);
`;

const STYLE = `
header,main{max-width:80rem}
.panes{display:grid;gap:1.5rem;grid-template-columns:minmax(0,22rem) minmax(0,1fr);align-items:start}
@media (max-width:60rem){.panes{grid-template-columns:minmax(0,1fr)}}
.list{list-style:none;margin:1rem 0 0;padding:0;border-top:1px solid var(--rule)}
.list li{border-bottom:1px solid var(--rule)}
.list a{display:block;padding:.6rem .5rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
.list a:hover,.list [aria-current]{background:light-dark(oklch(.955 .009 95),oklch(.265 .018 230))}
.list b,.list span{display:block}
.list span{font-size:.9rem}
iframe{width:100%;height:36rem;border:1px solid var(--rule);border-radius:3px;background:#fff}
h2{margin:0 0 .25rem;font-size:1.25rem;overflow-wrap:anywhere}
h3{margin:1.5rem 0 .5rem;font-size:1rem}
`;

/**
 * The development outbox as a mail program: the mails that have all the words, newest first, and one of them.
 * @param mails newest first
 */
export function outboxPage(
  mails: readonly OutboxMail[],
  { words, mailId }: { readonly words: string; readonly mailId: string | null },
): Page {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = mails.filter(({ to, subject, kind, text }) => {
    const content = `${to} ${subject} ${kind} ${text}`.toLowerCase();
    return wanted.every((word) => content.includes(word));
  });
  const open = found.find(({ id }) => String(id) === mailId) ?? found[0];
  const body = [
    '<p class="hint">In development, emails stay on this machine. <a href="/dev">Back to the development page</a></p>',
    `<div class="panes"><nav aria-label="Emails" data-newest="${mails[0]?.id ?? ''}" data-open="${open?.id ?? ''}">`,
    '<form method="get" action="/dev/outbox" role="search">',
    `<label for="q">Search</label><input id="q" name="q" type="search" value="${escapeHtml(words)}">`,
    '</form>',
    found.length === 0 ? `<p>${mails.length === 0 ? 'No emails yet.' : 'No matching emails.'}</p>` : '',
    `<ul class="list">${found.map((mail) => listed(mail, words, mail === open)).join('')}</ul>`,
    '</nav>',
    open === undefined ? '' : opened(open),
    '</div>',
  ];
  return {
    title: 'Outbox',
    body: body.join('\n'),
    style: STYLE,
    hasFrames: true,
    script: `/dev/outbox/${LIVE}`,
  };
}

function listed({ id, subject, to, createdAt }: OutboxMail, words: string, isOpen: boolean): string {
  const query = new URLSearchParams({ ...(words === '' ? {} : { q: words }), mail: String(id) });
  return [
    `<li><a href="/dev/outbox?${escapeHtml(query.toString())}"${isOpen ? ' aria-current="true"' : ''}>`,
    `<b>${escapeHtml(subject)}</b><span>${escapeHtml(to)}</span><span>${shownTime(createdAt)}</span></a></li>`,
  ].join('');
}

function opened({ id, subject, to, kind, state, createdAt, text, html }: OutboxMail): string {
  const lines = linkedText(text, (link) => `<a href="${link}">${link}</a>`);
  return [
    '<section aria-labelledby="subject">',
    `<h2 id="subject">${escapeHtml(subject)}</h2>`,
    `<p class="hint">To ${escapeHtml(to)}, ${shownTime(createdAt)}, ${escapeHtml(kind)}, ${escapeHtml(state)}.`,
    `<a href="/dev/outbox/${id}" target="_blank" rel="noopener">Open in a new tab</a></p>`,
    html === ''
      ? '<p>The content of this email was removed.</p>'
      : `<iframe src="/dev/outbox/${id}" title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe><h3>As text</h3><pre>${lines}</pre>`,
    '</section>',
  ].join('\n');
}

/** `2026-11-27 16:20:05 UTC` */
function shownTime(at: string): string {
  return `<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
