import { readKept } from '../read-kept.js';

/** A second step that is due. The service counts it only in this browser. */
export interface KeptStep {
  readonly challenge: string;
  readonly methods: readonly string[];
  /** Until when a mailed code is left out because of a reset, as an ISO 8601 instant. */
  readonly emailWithheldUntil?: string | undefined;
}

const KEY = 'gatehouse.step';
/** As long as the service counts it. */
const LIFE_MS = 10 * 60_000;

/** Keeps a step for the next document of this tab. Its end is by this browser's clock, which may be wrong all the time. */
export function keepStep(step: KeptStep): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...step, endsAtMs: Date.now() + LIFE_MS }));
}

export function forgetStep(): void {
  sessionStorage.removeItem(KEY);
}

/** The step that is due in this tab; undefined where there is none, or it took too long. */
export function keptStep(): KeptStep | undefined {
  const { challenge, methods, endsAtMs, emailWithheldUntil } = readKept(sessionStorage, KEY);
  if (typeof challenge !== 'string' || typeof endsAtMs !== 'number' || !Array.isArray(methods))
    return undefined;
  const known = methods.filter((method) => typeof method === 'string');
  if (endsAtMs <= Date.now()) return undefined;
  const isInstant = typeof emailWithheldUntil === 'string' && !Number.isNaN(Date.parse(emailWithheldUntil));
  return { challenge, methods: known, ...(isInstant ? { emailWithheldUntil } : {}) };
}
