const MAX_REDIRECTS = 20;

/** A form of a page, with the fields that it would send. */
interface PageForm {
  readonly action: URL;
  readonly method: 'GET' | 'POST';
  readonly fields: Readonly<Record<string, string>>;
}

/** The current place of a browser. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  readonly forms: readonly PageForm[];
  /** What the page opens in frames. */
  readonly frames: readonly URL[];
}

/**
 * A browser without scripts for pages of others: it keeps cookies by host, follows redirects and submits forms. A form of another
 * site is submitted without cookies that are Lax.
 */
export interface FormBrowser {
  open(url: string | URL): Promise<Page>;
  /** Sends the first form of a page that has all these fields, with the other fields unchanged and those that a button adds. */
  send(
    page: Page,
    fields?: Readonly<Record<string, string>>,
    button?: Readonly<Record<string, string>>,
  ): Promise<Page>;
}

interface Cookie {
  readonly value: string;
  readonly isForOtherSites: boolean;
}

/** @param endsAt the origin whose pages are not opened: only their addresses are wanted */
export function createFormBrowser(endsAt: string): FormBrowser {
  const cookies = new Map<string, Map<string, Cookie>>();

  function cookiesFor({ hostname }: URL, isForeignForm: boolean): string {
    return [...(cookies.get(hostname) ?? [])]
      .filter(([, { isForOtherSites }]) => isForOtherSites || !isForeignForm)
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  function keep({ hostname }: URL, lines: readonly string[]): void {
    const known = cookies.get(hostname) ?? new Map<string, Cookie>();
    cookies.set(hostname, known);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const end = /;\s*expires=([^;]+)/i.exec(line)?.[1];
      const isOver = /;\s*max-age=0/i.test(line) || (end !== undefined && Date.parse(end) < Date.now());
      if (isOver) known.delete(name);
      else known.set(name, { value, isForOtherSites: /;\s*samesite=none/i.test(line) });
    }
  }

  async function visit(first: URL, sent?: { body: URLSearchParams; from: URL }): Promise<Page> {
    let url = first;
    let form = sent;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (url.origin === endsAt) return { url, status: 0, text: '', forms: [], frames: [] };
      const cookie = cookiesFor(url, form !== undefined && form.from.hostname !== url.hostname);
      const response = await fetch(url, {
        redirect: 'manual',
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(form === undefined ? {} : { origin: form.from.origin }),
        },
        ...(form === undefined ? {} : { method: 'POST', body: form.body }),
      });
      keep(url, response.headers.getSetCookie());
      const text = await response.text();
      const next = response.headers.get('location');
      if (next === null || response.status < 300 || response.status >= 400)
        return { url, status: response.status, text, forms: formsIn(text, url), frames: framesIn(text, url) };
      url = new URL(next, url);
      if (response.status !== 307 && response.status !== 308) form = undefined;
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects, the last to ${url.href}`);
  }

  return {
    open: (url) => visit(new URL(url)),
    async send(page, fields = {}, button = {}) {
      const names = Object.keys(fields);
      const form = page.forms.find((each) => names.every((name) => Object.hasOwn(each.fields, name)));
      if (form === undefined)
        throw new Error(`${page.url.href} (${page.status}) has no such form:\n${pageText(page)}`);
      const sent = new URLSearchParams({ ...form.fields, ...fields, ...button });
      if (form.method === 'POST') return visit(form.action, { body: sent, from: page.url });
      const url = new URL(form.action);
      url.search = sent.toString();
      return visit(url);
    },
  };
}

function formsIn(text: string, base: URL): PageForm[] {
  return [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].map(([, tag = '', content = '']) => {
    const inputs = [...content.matchAll(/<(?:input|textarea)\b([^>]*)>/gi)].map(([, input = '']) => input);
    const isSent = (input: string) =>
      attribute(input, 'name') !== undefined &&
      !/^(submit|button|image|checkbox|radio|file)$/i.test(attribute(input, 'type') ?? 'text');
    return {
      action: new URL(attribute(tag, 'action') ?? '', base),
      method: attribute(tag, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
      fields: Object.fromEntries(
        inputs
          .filter(isSent)
          .map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']),
      ),
    };
  });
}

function framesIn(text: string, base: URL): URL[] {
  return [...text.matchAll(/<iframe\b([^>]*)>/gi)].map(
    ([, tag = '']) => new URL(attribute(tag, 'src') ?? '', base),
  );
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(` ${tag}`);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : unescapeHtml(value);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of HTML without its references. */
export function unescapeHtml(html: string): string {
  return html.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex, decimal, name: string | undefined) => {
      const point = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
      return name === undefined ? String.fromCodePoint(point) : (NAMED[name] ?? whole);
    },
  );
}

/** What people read on a page, for the message of a failed test. */
export const pageText = ({ text }: Pick<Page, 'text'>): string =>
  unescapeHtml(
    text
      .replaceAll(/<(script|style)\b.*?<\/\1>/gis, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' '),
  ).slice(0, 2_000);
