import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The result of reading a request's body. */
export interface Delivery {
  /** The beginning of the body, at most `MOST_BYTES`. */
  readonly body: Buffer;
  /** The length of the whole body. */
  readonly bytes: number;
  /** The hexadecimal SHA-256 of the whole body. */
  readonly digest: string;
  /** `too_large` exceeds `MOST_BYTES`; `incomplete` means that the sender disconnected early. */
  readonly extent: 'whole' | 'too_large' | 'incomplete';
}

/** The longest body that is kept. */
const MOST_BYTES = 1024 * 1024;

/**
 * A longer body is read and discarded, so that the sender gets the answer instead of a broken connection. Beyond
 * this the connection is closed.
 */
const MOST_BYTES_READ = 32 * 1024 * 1024;

/** Reads a body as it arrives, keeping at most `MOST_BYTES`. Does not reject. */
export function readDelivery(request: IncomingMessage): Promise<Delivery> {
  return new Promise((resolve) => {
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;

    const finish = (hasEnded: boolean) => {
      if (isOver) return;
      isOver = true;
      const extent = bytes > MOST_BYTES ? 'too_large' : hasEnded ? 'whole' : 'incomplete';
      resolve({ body: Buffer.concat(chunks), bytes, digest: hash.digest('hex'), extent });
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      const room = MOST_BYTES - bytes;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > MOST_BYTES_READ) {
        request.pause();
        finish(false);
      }
    });
    request.on('end', () => finish(true));
    request.on('error', () => finish(false));
    request.on('close', () => finish(false));
  });
}
