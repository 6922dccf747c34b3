import type { Failure } from '@gatehouse/ui/call/mutation-state';
import { explainError } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { AuthLayout } from './auth-layout.js';
import { t } from './words.js';

/** How long nothing is shown, so that quick answers do not flicker. */
const QUIET_MS = 200;

/** Shows what a screen loaded, or why it failed. */
export function Loaded<Data>({
  from,
  refused,
  again,
  children,
}: {
  readonly from: Load<Data>;
  /** The title after a refusal. */
  readonly refused: string;
  /** The way out of a refusal. */
  readonly again: ReactNode;
  readonly children: (data: Data) => ReactElement;
}): ReactElement | null {
  const { data, failure, retry } = from;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (failure !== undefined) {
    return (
      <AuthLayout title={failure.mayRetry ? t('loaded.unreached') : refused} tone="error" takesFocus>
        <FailureNote failure={failure} />
        {failure.mayRetry ? (
          <div>
            <Button isWide kind="primary" onClick={retry}>
              {t('loaded.retry')}
            </Button>
          </div>
        ) : (
          <p>{again}</p>
        )}
      </AuthLayout>
    );
  }
  if (data !== undefined) return children(data);
  return isLong ? <AuthLayout title={t('loaded.wait')} /> : null;
}

/** Data that a screen loads when it opens. */
interface Load<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  retry(): void;
}

/** Loads once, and again on request. */
export function useLoad<Data>(ask: () => Promise<Data>): Load<Data> {
  const [tries, setTries] = useState(0);
  const [data, setData] = useState<Data>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    ask().then(
      (answer) => {
        if (isCurrent) setData(() => answer);
      },
      (error: unknown) => {
        if (isCurrent) setFailure(explainError(error));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [tries]);
  return { data, failure, retry: () => setTries((before) => before + 1) };
}
