import type { Readable } from 'node:stream';

/** The part of a body that was kept as it passed through. */
export interface KeptBody {
  readonly bytes: Buffer;
  readonly length: number;
  /** Whether it is complete. */
  readonly isWhole: boolean;
}

/** Keeps a body of at most this many bytes while another reader consumes it, who sets the pace. */
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
