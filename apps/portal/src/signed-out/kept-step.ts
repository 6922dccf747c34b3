import { readKept } from './read-kept.js';

/** A second step that is due. The service counts it only in this browser. */
export interface KeptStep {
  readonly challenge: string;
  readonly methods: readonly string[];
  /** An ISO 8601 instant. */
  readonly expiresAt: string;
}

const KEY = 'gatehouse.step';

/** Keeps a step for the next document of this tab. */
export function keepStep(step: KeptStep): void {
  sessionStorage.setItem(KEY, JSON.stringify(step));
}

export function forgetStep(): void {
  sessionStorage.removeItem(KEY);
}

/** The step that is due in this tab; undefined where there is none, or it took too long. */
export function keptStep(): KeptStep | undefined {
  const { challenge, methods, expiresAt } = readKept(sessionStorage, KEY);
  if (typeof challenge !== 'string' || typeof expiresAt !== 'string' || !Array.isArray(methods))
    return undefined;
  const known = methods.filter((method) => typeof method === 'string');
  return Date.parse(expiresAt) > Date.now() ? { challenge, methods: known, expiresAt } : undefined;
}
