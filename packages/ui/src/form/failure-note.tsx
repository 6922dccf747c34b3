import { type ReactElement, useEffect, useState } from 'react';
import type { Failure } from '../call/failure.js';
import { t } from '../messages/translate.js';
import { Banner } from '../parts/banner.js';

/** Why something did not happen. What stands at a field is not said again. */
export function FailureNote({ failure }: { readonly failure: Failure }): ReactElement | null {
  const { message, issues, requestId, waitSeconds } = failure;
  if (issues.length > 0 && message === '') return null;
  return (
    <Banner tone="error">
      <p>{message}</p>
      {waitSeconds === undefined ? null : <Countdown key={waitSeconds} seconds={waitSeconds} />}
      {requestId === undefined ? null : (
        <p className="mt-1 text-note text-quiet">
          {t('ui.requestId')} <span className="font-mono wrap-anywhere">{requestId}</span>
        </p>
      )}
    </Banner>
  );
}

/** Counts down to when it is worth trying again. Screen readers hear it once. */
function Countdown({ seconds }: { readonly seconds: number }): ReactElement {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endsAtMs = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)));
    }, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <p className="mt-1" aria-live="off">
      {left === 0 ? t('ui.waitOver') : t('ui.wait', { clock })}
    </p>
  );
}
