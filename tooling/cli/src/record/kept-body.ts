import type { Readable } from 'node:stream';

/** What was kept of a body that went through. */
export interface KeptBody {
  readonly bytes: Buffer;
  readonly length: number;
  /** Whether nothing is missing. */
  readonly isWhole: boolean;
}

/** Keeps a body of at most so many bytes while somebody else reads it, who sets the pace. */
export function keepBody(stream: Readable, most: number): () => KeptBody {
  const chunks: Buffer[] = [];
  let length = 0;
  let hasEnded = false;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > most) chunks.length = 0;
    else chunks.push(chunk);
  });
  stream.once('end', () => {
    hasEnded = true;
  });
  return () => ({ bytes: Buffer.concat(chunks), length, isWhole: hasEnded && length <= most });
}
