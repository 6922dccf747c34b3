import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import type { ReactElement } from 'react';

/** A text to paste elsewhere, with a button that copies it. */
export function CopiedText({
  label,
  hint,
  copy,
  text,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly copy: string;
  readonly text: string;
}): ReactElement {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p className="font-semibold">{label}</p>
      {hint === undefined ? null : <p className="text-note text-quiet">{hint}</p>}
      <div className="flex w-full flex-wrap items-start bg-well p-0.5">
        <p className="min-w-0 flex-1 p-2.5 font-mono wrap-anywhere select-all" translate="no">
          {text}
        </p>
        <CopyButton text={text} label={copy} isIcon />
      </div>
    </div>
  );
}
