import type { ReactElement } from 'react';
import { fullTime, shownAgo, shownTime } from './shown-time.js';

/** How long ago something was, or how soon it will be; exactly when, on hover. */
export function Ago({ at }: { readonly at: string }): ReactElement {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shownAgo(at)}
    </time>
  );
}

/** When something was, and exactly when on hover. */
export function At({ at }: { readonly at: string }): ReactElement {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shownTime(at)}
    </time>
  );
}
