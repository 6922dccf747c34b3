import type { BarGroup } from './section.js';

const WIDTH = 760;

const LABEL_WIDTH = 200;

const BAR_HEIGHT = 18;

const BAR_GAP = 6;

const TITLE_HEIGHT = 30;

const GROUP_GAP = 16;

/** The space to the right of the longest bar, for its number. */
const FIGURE_WIDTH = 90;

/** The measurements as horizontal bars in an SVG. Each group has its own scale, from zero. */
export function renderChart(groups: readonly BarGroup[], caption: string): string {
  const parts: string[] = [text({ x: 12, y: 24, weight: 'bold' }, caption)];
  let top = 44;
  for (const { title, unit, bars } of groups) {
    parts.push(text({ x: 12, y: top + 16, weight: 'bold' }, `${title} (${unit})`));
    top += TITLE_HEIGHT;
    const greatest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
    for (const { label, value, ours } of bars) {
      const width = Math.max(1, ((WIDTH - LABEL_WIDTH - FIGURE_WIDTH) * value) / greatest);
      parts.push(
        text({ x: LABEL_WIDTH - 8, y: top + 13, anchor: 'end' }, label),
        `<rect x="${LABEL_WIDTH}" y="${top}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" fill="${ours ? '#2563eb' : '#9ca3af'}"/>`,
        text({ x: LABEL_WIDTH + width + 6, y: top + 13 }, figure(value)),
      );
      top += BAR_HEIGHT + BAR_GAP;
    }
    top += GROUP_GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}" font-family="sans-serif" font-size="13">
<title>${escaped(caption)}</title>
<rect width="${WIDTH}" height="${top}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}

function text(place: { x: number; y: number; anchor?: 'end'; weight?: 'bold' }, content: string): string {
  const anchor = place.anchor ? ` text-anchor="${place.anchor}"` : '';
  const weight = place.weight ? ` font-weight="${place.weight}"` : '';
  return `<text x="${place.x.toFixed(1)}" y="${place.y}"${anchor}${weight} fill="#111827">${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

interface TableRow {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ratio: { readonly value: number; readonly against: string } | undefined;
}

/** The measurements as a Markdown table. */
export function renderTable(rows: readonly TableRow[]): string {
  const lines = rows.map(({ name, requestsPerSecond, p50Ms, p99Ms, ratio }) =>
    [
      name,
      Math.round(requestsPerSecond).toLocaleString('en'),
      p50Ms.toFixed(0),
      p99Ms.toFixed(0),
      ratio ? `${ratio.value.toFixed(2)} of ${ratio.against}` : '',
    ].join(' | '),
  );
  return [
    '| Server | Requests/s | p50 ms | p99 ms | Ratio |',
    '|---|---:|---:|---:|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}
