import type { ReactElement } from 'react';
import { fullTime, shownAgo } from './shown-time.js';

/** How long ago something was, or how soon it will be; exactly when, on hover. */
export function Ago({ at }: { readonly at: string }): ReactElement {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shownAgo(at)}
    </time>
  );
}
