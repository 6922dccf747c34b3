import type { Failure } from '@gatehouse/ui/call/failure';
import { explainError } from '@gatehouse/ui/failure/explain-error';
import { useEffect, useState } from 'react';

/** Something that a screen asks for when it opens. */
export interface Load<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  retry(): void;
}

/** Asks once, and again when somebody wants it. */
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
