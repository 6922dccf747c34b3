/** Shorter secrets count only as whole words, because three random bytes may be part of any identifier. */
const SHORT = 12;
const PREFIX_BYTES = 3;

/**
 * The secrets that occur in a text. A table of their first three bytes excludes most positions, so a hundred
 * megabytes of log take about a second with any number of secrets.
 */
export function findCanaries(text: Buffer, canaries: Iterable<string>): string[] {
  const byPrefix = new Map<number, Buffer[]>();
  const begins = new Uint8Array(1 << 24);
  for (const canary of canaries) {
    const bytes = Buffer.from(canary);
    if (bytes.length < PREFIX_BYTES) continue;
    const prefix = bytes.readUIntBE(0, PREFIX_BYTES);
    begins[prefix] = 1;
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), bytes]);
  }
  const found = new Set<string>();
  let prefix = 0;
  for (let end = 0; end < text.length; end += 1) {
    prefix = ((prefix << 8) | (text[end] ?? 0)) & 0xff_ff_ff;
    if (begins[prefix] === 0) continue;
    const start = end - PREFIX_BYTES + 1;
    for (const bytes of byPrefix.get(prefix) ?? []) {
      const isThere = text.subarray(start, start + bytes.length).equals(bytes);
      if (isThere && (bytes.length >= SHORT || standsAlone(text, start, start + bytes.length))) {
        found.add(bytes.toString());
      }
    }
  }
  return [...found];
}

function standsAlone(text: Buffer, start: number, end: number): boolean {
  const isWordAt = (index: number) => /[A-Za-z0-9_-]/.test(String.fromCharCode(text[index] ?? 0));
  return !isWordAt(start - 1) && !isWordAt(end);
}
