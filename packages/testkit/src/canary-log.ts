import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { findCanaries } from './find-canaries.js';

/** The variable with the folder of a test run, for its processes. */
const FOLDER = 'GATEHOUSE_TEST_LOGS';
const SHORTEST_SECRET = 10;
const LONGEST_SECRET = 4_000;
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
  const isLong = secret.length >= SHORTEST_SECRET && secret.length <= LONGEST_SECRET;
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

export interface CanaryReport {
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
  const leaked = new Set(logs.flatMap((text) => findCanaries(text, secrets)));
  rmSync(folder, { recursive: true, force: true });
  return {
    secrets: secrets.size,
    bytes: logs.reduce((sum, { length }) => sum + length, 0),
    leaked: [...leaked].map((secret) => `${secret.slice(0, 12)}…`),
  };
}
