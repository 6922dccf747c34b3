import { type ReactElement, useEffect, useState } from 'react';
import { t } from '../screen/words.js';

/** How long a screen may load before anything says so. */
const QUIET_MS = 200;

/** A line at the top of the page while the next screen loads. */
export function ProgressLine({ isLoading }: { readonly isLoading: boolean }): ReactElement | null {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [isLoading]);
  if (!isShown) return null;
  return (
    <div
      role="progressbar"
      aria-label={t('asked.wait')}
      className="fixed inset-x-0 top-0 z-30 h-0.75 animate-advance bg-harbour motion-reduce:animate-none print:hidden"
    />
  );
}
