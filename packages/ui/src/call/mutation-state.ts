import { useEffect, useRef, useState } from 'react';

/** One problem with what was typed. */
export interface FieldIssue {
  /** The name of the field. */
  readonly path: string;
  readonly message: string;
}

/** Why a call failed, in words to show. */
export interface Failure {
  readonly message: string;
  readonly issues: readonly FieldIssue[];
  /** Whether the same request may be sent again unchanged. */
  readonly mayRetry: boolean;
  /** How long the service asks to wait. */
  readonly waitSeconds?: number;
  /** Names the call in the log of the service. */
  readonly requestId?: string;
  /** Goes to the sign-in of the company that is required. */
  readonly signInByCompany?: () => void;
}

/** How long a call may take before the page says that it is still running. */
const SLOW_MS = 5_000;

/** One thing that a screen sends: never twice at once, and with a way out when it takes long. */
export interface MutationState {
  readonly isBusy: boolean;
  /** Whether it takes so long that the person may want to give up. */
  readonly isSlow: boolean;
  readonly failure: Failure | undefined;
  /** Sends, unless something is being sent. */
  send(work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts what is being sent. */
  cancel(): void;
  fail(failure: Failure | undefined): void;
}

/** @param explain says why a call failed; undefined if nobody needs to know, such as when the person aborted it */
export function useSend(explain: (error: unknown) => Failure | undefined): MutationState {
  const running = useRef<AbortController>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [isSlow, setSlow] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isBusy]);

  function send(work: (signal: AbortSignal) => Promise<void>): void {
    if (running.current !== undefined) return;
    const own = new AbortController();
    running.current = own;
    setBusy(true);
    setFailure(undefined);
    work(own.signal)
      .catch((error: unknown) => setFailure(own.signal.aborted ? undefined : explain(error)))
      .finally(() => {
        running.current = undefined;
        setBusy(false);
      });
  }

  return {
    isBusy,
    isSlow,
    failure,
    send,
    cancel: () => running.current?.abort(),
    fail: setFailure,
  };
}
