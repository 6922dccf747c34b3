import { useSyncExternalStore } from 'react';
import { useMe } from '../session/me.js';
import { type RunView, runOf, watchRun } from './run-driver.js';

/** The run of whoever is here. */
export function useRun(): RunView {
  const { id } = useMe().member;
  return useSyncExternalStore(watchRun, () => runOf(id));
}
