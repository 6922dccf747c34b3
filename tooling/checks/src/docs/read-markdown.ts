/** The parts of a Markdown file used by the documentation checks. The first line is 1. */
export interface Markdown {
  /** Inline code: the text between backticks. */
  readonly spans: readonly Piece[];
  /** Lines of fenced code blocks, without the fences. */
  readonly fenced: readonly Piece[];
  /** Targets of inline links and images, and of reference definitions. */
  readonly links: readonly Piece[];
  /** Prose lines with code spans replaced by blanks. */
  readonly prose: readonly Piece[];
  /** The fragments of its headings, as code hosts generate them. */
  readonly anchors: ReadonlySet<string>;
}

export interface Piece {
  readonly line: number;
  readonly text: string;
}

/** Reads the parts of CommonMark used here: ATX headings, fences, spans, inline links. */
export function readMarkdown(text: string): Markdown {
  const spans: Piece[] = [];
  const fenced: Piece[] = [];
  const links: Piece[] = [];
  const prose: Piece[] = [];
  const anchors = new Set<string>();
  let fence: string | undefined;

  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    const mark = /^\s*(`{3,}|~{3,})/.exec(content)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      else fenced.push({ line, text: content });
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content)?.[1];
    if (heading !== undefined) addAnchor(anchors, heading);
    const blanked = content.replace(/(`+)(.+?)\1/g, (_, ticks: string, code: string) => {
      spans.push({ line, text: code.trim() });
      return ticks + ' '.repeat(code.length) + ticks;
    });
    prose.push({ line, text: blanked });
    for (const match of blanked.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/g)) {
      links.push({ line, text: match[1] ?? match[2] ?? '' });
    }
  }
  return { spans, fenced, links, prose, anchors };
}

/** Lower case, without punctuation, hyphens instead of blanks, and numbers for repeated headings. */
function addAnchor(anchors: Set<string>, heading: string): void {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  let anchor = slug;
  for (let repeat = 1; anchors.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`;
  anchors.add(anchor);
}
