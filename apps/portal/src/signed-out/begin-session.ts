import { isGatehouseError, isSecondFactorRequired } from '@gatehouse/client-sdk';
import { isUnsure } from '@gatehouse/ui/failure/use-mutation-state';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { gatehouse } from '../client.js';
import { readKept } from '../kept-flow.js';
import { keepingNext, nextScreen, SCREENS } from '../links.js';

/** The state of earlier tries of one form. */
export interface Tries {
  /** Whether one may have succeeded although its answer was lost. */
  mayBeDone: boolean;
}

/** The refusals of a repeated registration. */
const TAKEN = ['email_taken', 'username_taken', 'invitation_used', 'sign_in_required'] as const;

/**
 * Registers a person and signs them in by cookie. If an earlier try may have registered them, it reports a refusal only if they
 * cannot sign in.
 */
export async function beginSession(
  credentials: { readonly email: string; readonly password: string },
  tries: Tries,
  register: () => Promise<Parameters<typeof gatehouse.adoptSession>[0]>,
): Promise<void> {
  try {
    gatehouse.adoptSession(await register());
  } catch (error) {
    if (isUnsure(error)) tries.mayBeDone = true;
    if (!tries.mayBeDone || !isGatehouseError(error, ...TAKEN)) throw error;
    await gatehouse.signIn(credentials).catch(() => {
      throw error;
    });
  }
}

/** A second step that is due. The service accepts it only in this browser. */
export interface KeptStep {
  readonly challenge: string;
  readonly methods: readonly string[];
  /** Until when no code is mailed because of a reset, as an ISO 8601 instant. */
  readonly emailWithheldUntil?: string | undefined;
}

const KEY = 'gatehouse.step';

/** As long as the service accepts it. */
const LIFE_MS = 10 * 60_000;

/** Stores a step for the next document of this tab. Its end is by this browser's clock, which may always be wrong. */
function keepStep(step: KeptStep): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...step, endsAtMs: Date.now() + LIFE_MS }));
}

export function forgetStep(): void {
  sessionStorage.removeItem(KEY);
}

/** The step that this tab has to take; undefined if there is none, or it took too long. */
export function keptStep(): KeptStep | undefined {
  const { challenge, methods, endsAtMs, emailWithheldUntil } = readKept(sessionStorage, KEY);
  if (typeof challenge !== 'string' || typeof endsAtMs !== 'number' || !Array.isArray(methods))
    return undefined;
  const known = methods.filter((method) => typeof method === 'string');
  if (endsAtMs <= Date.now()) return undefined;
  const isInstant = typeof emailWithheldUntil === 'string' && !Number.isNaN(Date.parse(emailWithheldUntil));
  return { challenge, methods: known, ...(isInstant ? { emailWithheldUntil } : {}) };
}

/**
 * Signs in and continues to the page in the address or, if a second step is required, to that step.
 * @throws the error of the sign-in
 */
export async function enter(signIn: () => Promise<unknown>, search = location.search): Promise<void> {
  await withStep(signIn, search);
  return leaveTo(nextScreen(search));
}

/** Signs in, and goes to the second step if one is required. */
export async function withStep(signIn: () => Promise<unknown>, search = location.search): Promise<void> {
  try {
    await signIn();
  } catch (error) {
    if (!isSecondFactorRequired(error)) throw error;
    const { challenge, methods, emailWithheldUntil } = error.data;
    keepStep({ challenge, methods, emailWithheldUntil });
    return leaveTo(keepingNext(SCREENS.stepUp, search));
  }
}
