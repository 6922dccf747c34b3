import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Services } from '@gatehouse/features/core/context';

/** Shorter secrets are found only as whole words, because three random bytes may be part of any identifier. */
const SHORT = 12;

const PREFIX_BYTES = 3;

/**
 * The secrets that occur in texts. A table of their first three bytes excludes most positions, so a hundred
 * megabytes of log take about a second with any number of secrets.
 */
export function findCanaries(texts: Iterable<Buffer>, canaries: Iterable<string>): string[] {
  // Most of a hundred thousand secrets are tokens, which begin alike.
  const byPrefix = new Map<number, Buffer[]>();
  const begins = new Uint8Array(1 << 24);
  for (const canary of canaries) {
    const bytes = Buffer.from(canary);
    if (bytes.length < PREFIX_BYTES) continue;
    const prefix = bytes.readUIntBE(0, PREFIX_BYTES);
    begins[prefix] = 1;
    const alike = byPrefix.get(prefix);
    if (alike) alike.push(bytes);
    else byPrefix.set(prefix, [bytes]);
  }
  const found = new Set<string>();
  for (const text of texts) {
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
  }
  return [...found];
}

function standsAlone(text: Buffer, start: number, end: number): boolean {
  const isWordAt = (index: number) => /[A-Za-z0-9_-]/.test(String.fromCharCode(text[index] ?? 0));
  return !isWordAt(start - 1) && !isWordAt(end);
}

/** The variable with the folder of a test run, for its processes. */
const FOLDER = 'GATEHOUSE_TEST_LOGS';

const SHORTEST_SECRET = 10;

const MAX_SECRET_LENGTH = 4_000;

const ONE_TIME_PASSWORD = /^[0-9a-f]{6}$/;

/** Times may appear in logs, because encrypted data and every log line contain them. */
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const planted = new Set<string>();

let unsaved: string[] = [];

/**
 * Records a secret that no log of this run may contain. Values that may be in a log for other reasons are
 * skipped: words, numbers, times, and anything shorter than ten characters except one-time passwords.
 */
export function plantCanary(secret: unknown): void {
  if (typeof secret !== 'string' || planted.has(secret)) return;
  const isWord = !/\d/.test(secret) || !/[A-Za-z]/.test(secret) || /\s/.test(secret) || INSTANT.test(secret);
  const isLong = secret.length >= SHORTEST_SECRET && secret.length <= MAX_SECRET_LENGTH;
  if (isWord || !(isLong || ONE_TIME_PASSWORD.test(secret))) return;
  planted.add(secret);
  unsaved.push(secret);
}

/** Stores a service's log, and the secrets recorded so far, until the end of the run. */
export function keepLog(text: string): void {
  const folder = process.env[FOLDER];
  if (folder === undefined || !existsSync(folder)) return;
  const name = `${process.pid}-${threadId}`;
  appendFileSync(join(folder, `${name}.log`), text);
  if (unsaved.length === 0) return;
  appendFileSync(join(folder, `${name}.secrets`), `${unsaved.join('\n')}\n`);
  unsaved = [];
}

/** Makes the folder of a test run. */
export function beginCanaryRun(): void {
  process.env[FOLDER] ??= mkdtempSync(join(tmpdir(), 'gatehouse-test-logs-'));
}

interface CanaryReport {
  readonly secrets: number;
  readonly bytes: number;
  /** The beginnings of the secrets that a log contains. */
  readonly leaked: readonly string[];
}

/** Searches every log of the run for every secret, then deletes both. */
export function endCanaryRun(): CanaryReport {
  const folder = process.env[FOLDER];
  if (folder === undefined || !existsSync(folder)) return { secrets: 0, bytes: 0, leaked: [] };
  delete process.env[FOLDER];
  const files = (ending: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(folder, name)));
  const secrets = new Set(files('.secrets').flatMap((text) => text.toString().split('\n')));
  secrets.delete('');
  const logs = files('.log');
  const leaked = findCanaries(logs, secrets);
  rmSync(folder, { recursive: true, force: true });
  return {
    secrets: secrets.size,
    bytes: logs.reduce((sum, { length }) => sum + length, 0),
    leaked: leaked.map((secret) => `${secret.slice(0, 12)}…`),
  };
}

/**
 * The same services, which record every secret that passes through them. At the end of the run all logs are
 * searched for these.
 */
export function plantCanaries(services: Services): Services {
  const { cipher, passwords, tokens } = services;
  const noted = <Sealed extends { readonly token: string }>(sealed: Sealed): Sealed => {
    plantCanary(sealed.token);
    return sealed;
  };
  return {
    ...services,
    cipher: {
      ...cipher,
      seal(text, context) {
        plantCanary(text);
        return cipher.seal(text, context);
      },
      open(sealed, context) {
        const text = cipher.open(sealed, context);
        plantCanary(text);
        return text;
      },
    },
    passwords: {
      ...passwords,
      async hash(password, options) {
        plantCanary(password);
        const hash = await passwords.hash(password, options);
        plantCanary(hash);
        return hash;
      },
      compare(password, stored, rounds) {
        plantCanary(password);
        plantCanary(stored);
        return passwords.compare(password, stored, rounds);
      },
      compareForeign(password, stored, delayMs) {
        plantCanary(stored);
        return passwords.compareForeign(password, stored, delayMs);
      },
    },
    tokens: {
      ...tokens,
      sealSession: (claims, life) => noted(tokens.sealSession(claims, life)),
      sealBearer: (claims, life) => noted(tokens.sealBearer(claims, life)),
      sealPartner: (payload) => noted(tokens.sealPartner(payload)),
      sealOneUse: (payload, ttlSeconds, options) => noted(tokens.sealOneUse(payload, ttlSeconds, options)),
    },
  };
}
