import type { LegacySignInOutcome } from '@gatehouse/runtime/metrics/create-metrics';

/** How long the previous system may take. */
export const LEGACY_TIMEOUT_MS = 3_000;

/**
 * How long every refused sign-in waits while the previous system is asked, for every member and for none. It is a little longer
 * than that system may take, so that its time-out reveals nothing either.
 */
export const LEGACY_WAIT_MS = LEGACY_TIMEOUT_MS + 150;

/**
 * How long a request waits for a place. It has the rest of the 3 seconds for its answer, so that every refusal stays equally
 * late.
 */
export const LEGACY_PLACE_WAIT_MS = LEGACY_TIMEOUT_MS / 2;

/** What the previous system says about a person whose password was right. */
export interface LegacyProfile {
  /** The id of the person there. */
  readonly id?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

export type LegacyAnswer =
  | { readonly outcome: 'verified'; readonly profile: LegacyProfile }
  | { readonly outcome: 'wrong' }
  /** It did not answer, or too many requests were open. */
  | { readonly outcome: 'failed' | 'busy' }
  /** The system was being asked about another password of the same member. */
  | { readonly outcome: 'crowded' };

/** The system that still knows the passwords of members who were imported without a hash. */
export interface LegacySignIn {
  /** Whether the system is asked now: until LEGACY_SIGN_IN_UNTIL. */
  isOn(): boolean;
  /** Asks whether a password is a member's. Never throws for failures there. */
  ask(person: {
    readonly memberId: number;
    readonly email: string;
    readonly password: string;
  }): Promise<LegacyAnswer>;
  /** Waits like a request that finds no place, for a sign-in that sends no question. */
  waitForPlace(): Promise<void>;
  /** Whether every request that this node wanted to send in the last minute got an answer. */
  isAnswering(): boolean;
  /** Counts how a request ended. */
  count(outcome: LegacySignInOutcome): void;
}
