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
  const text = sessionStorage.getItem(KEY);
  if (text === null) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only keepStep writes this key, and the service judges what is in it.
  const step = JSON.parse(text) as KeptStep;
  return Date.parse(step.expiresAt) > Date.now() ? step : undefined;
}
