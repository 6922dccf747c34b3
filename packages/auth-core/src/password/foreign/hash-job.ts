/** A key that Node derives only on the calling thread, or not at all. */
export type HashJob =
  | {
      readonly kind: 'argon2';
      readonly variant: 'argon2d' | 'argon2i' | 'argon2id';
      readonly password: Uint8Array;
      readonly salt: Uint8Array;
      readonly memoryKib: number;
      readonly passes: number;
      readonly lanes: number;
      readonly byteCount: number;
    }
  | {
      readonly kind: 'phpass';
      readonly password: Uint8Array;
      readonly salt: Uint8Array;
      readonly rounds: number;
    }
  | {
      readonly kind: 'sha-crypt';
      readonly digest: 'sha256' | 'sha512';
      readonly password: Uint8Array;
      readonly salt: Uint8Array;
      readonly rounds: number;
    };

/** Derives such a key, never on the main thread. */
export type RunHashJob = (job: HashJob) => Promise<Buffer>;

/** How long a worker takes to start. */
export const WORKER_MS = 50;
