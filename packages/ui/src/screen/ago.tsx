import { type ReactElement, useSyncExternalStore } from 'react';
import { fullTime, shownAgo, shownTime } from './shown-time.js';

const MINUTE_MS = 60_000;

/** Calls back each minute, so that times tell the present distance. */
function eachMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const thisMinute = (): number => Math.floor(Date.now() / MINUTE_MS);

/** How long ago something was, or how soon it will be; exactly when, on hover. */
export function Ago({ at }: { readonly at: string }): ReactElement {
  useSyncExternalStore(eachMinute, thisMinute);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {shownAgo(at)}
    </time>
  );
}

const DAY_MS = 86_400_000;

/** When something was or will be: within a day by the distance from now, else by day and time; exactly when, on hover. */
export function At({
  at,
  say = (time) => time,
}: {
  readonly at: string;
  /** The sentence that it is part of. */
  readonly say?: (time: string) => string;
}): ReactElement {
  useSyncExternalStore(eachMinute, thisMinute);
  const isNear = Math.abs(Date.parse(at) - Date.now()) < DAY_MS;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {say(isNear ? shownAgo(at) : shownTime(at))}
    </time>
  );
}
