import { fileURLToPath } from 'node:url';

/** The file of a `file:` URL, absolute (`file:///data/g.db`) or relative (`file:.data/g.db`). */
export function embeddedPath(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length));
}
