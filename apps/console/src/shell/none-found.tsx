import { Button } from '@gatehouse/ui/parts/button';
import type { ReactElement } from 'react';

/** What is shown in place of a list without rows, with a way out of the filters if there are any. */
export function NoneFound({
  words,
  clear,
  onClear,
}: {
  readonly words: string;
  /** The words of that way; absent if nothing is filtered. */
  readonly clear: string | undefined;
  readonly onClear: () => void;
}): ReactElement {
  return (
    <div className="flex flex-col items-start gap-3 border-t-2 border-ink bg-card p-3">
      <p role="status">{words}</p>
      {clear === undefined ? null : <Button onClick={onClear}>{clear}</Button>}
    </div>
  );
}
