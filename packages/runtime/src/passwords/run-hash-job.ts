import * as crypto from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { HashJob } from '@gatehouse/auth-core';

type Argon2Job = HashJob & { readonly kind: 'argon2' };

/** `crypto.argon2` of Node 24.7 and later, which the types of Node 20 do not have. */
type NodeArgon2 = (
  algorithm: Argon2Job['variant'],
  parameters: {
    readonly message: Uint8Array;
    readonly nonce: Uint8Array;
    readonly memory: number;
    readonly passes: number;
    readonly parallelism: number;
    readonly tagLength: number;
  },
  done: (error: Error | null, key: Buffer) => void,
) => void;

interface NodeCrypto {
  readonly scrypt: unknown;
  readonly argon2?: NodeArgon2;
}

/**
 * Derives a key off the main thread: Argon2 by Node if it can, everything else in the one worker of this process, one job after
 * the other.
 * @throws Error if that fails
 */
export function runHashJob(job: HashJob): Promise<Buffer> {
  const { argon2 }: NodeCrypto = crypto;
  return job.kind === 'argon2' && argon2 ? deriveArgon2(argon2, job) : runInWorker(job);
}

function deriveArgon2(argon2: NodeArgon2, job: Argon2Job): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      job.variant,
      {
        message: job.password,
        nonce: job.salt,
        memory: job.memoryKib,
        passes: job.passes,
        parallelism: job.lanes,
        tagLength: job.byteCount,
      },
      (error, key) => {
        if (error) reject(error);
        else resolve(key);
      },
    );
  });
}

interface Waiting {
  readonly resolve: (key: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  /** Ends a worker that takes too long, or that is no longer needed. */
  timer?: NodeJS.Timeout;
}

/** Several times as long as the costliest job. */
const LONGEST_MS = 30_000;

/** Argon2 leaves up to 64 MiB behind in a worker. */
const IDLE_MS = 60_000;

/** The memory of Argon2 is not included. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

let running: Running | undefined;

let lastId = 0;

/** The worker starts with the first job, is replaced after a failure, and keeps the process alive only while a job waits. */
function runInWorker(job: HashJob): Promise<Buffer> {
  running ??= startWorker();
  const { worker, waiting } = running;
  lastId += 1;
  const id = lastId;
  if (waiting.size === 0) endAfter(running, LONGEST_MS);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.ref();
    worker.postMessage({ id, job });
  });
}

function startWorker(): Running {
  const worker = new Worker(new URL('./hash-worker.js', import.meta.url), { resourceLimits: LIMITS });
  const started: Running = { worker, waiting: new Map() };
  worker.on('message', ({ id, key }: { readonly id: number; readonly key: Uint8Array }) => {
    started.waiting.get(id)?.resolve(Buffer.from(key));
    started.waiting.delete(id);
    const isIdle = started.waiting.size === 0;
    if (isIdle) worker.unref();
    endAfter(started, isIdle ? IDLE_MS : LONGEST_MS);
  });
  worker.on('error', (error) => {
    end(started, error);
  });
  worker.on('exit', () => {
    end(started);
  });
  return started;
}

function endAfter(started: Running, ms: number): void {
  clearTimeout(started.timer);
  started.timer = setTimeout(() => {
    end(started);
    void started.worker.terminate();
  }, ms).unref();
}

function end(started: Running, error = new Error('the worker for password hashes has ended')): void {
  clearTimeout(started.timer);
  if (running === started) running = undefined;
  for (const { reject } of started.waiting.values()) reject(error);
  started.waiting.clear();
}
