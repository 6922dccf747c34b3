import type { ReactElement, ReactNode } from 'react';

/** An action of one row of a list. Those who hear it are told which row. */
export function RowAction({
  about,
  isBusy = false,
  isGrave = false,
  onClick,
  children,
}: {
  /** What the row is about; absent where the words of the action say it. */
  readonly about?: string;
  readonly isBusy?: boolean;
  readonly isGrave?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
      className={`min-h-10 cursor-pointer font-semibold underline decoration-line underline-offset-4 hover:decoration-current aria-disabled:cursor-progress aria-disabled:opacity-70 rows:-my-0.5 rows:min-h-6 ${isGrave ? 'text-brick' : 'text-harbour'}`}
    >
      {children}
      {about === undefined ? null : <span className="sr-only"> {about}</span>}
    </button>
  );
}
