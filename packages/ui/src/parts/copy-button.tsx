import { type ReactElement, useEffect, useState } from 'react';
import { t } from '../messages/translate.js';
import { Button } from './button.js';

const SHOWN_MS = 4_000;

/** Copies a text, and says so for a while. A browser can forbid it. */
export function CopyButton({
  text,
  label = t('ui.copy'),
  isInText = false,
  isIcon = false,
}: {
  readonly text: string;
  /** The words on it, where a page has several. */
  readonly label?: string;
  /** Whether it is in a line of text, and looks like a link. */
  readonly isInText?: boolean;
  /** Whether it is a sign at the end of the text, which shows its words on hover. */
  readonly isIcon?: boolean;
}): ReactElement {
  const [copied, setCopied] = useState<boolean>();
  useEffect(() => {
    if (copied === undefined) return undefined;
    const timer = setTimeout(() => setCopied(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const onClick = (): void =>
    void copy(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const words = copied === true ? t('ui.copied') : label;
  return (
    <>
      {isIcon ? (
        <button
          type="button"
          title={label}
          onClick={onClick}
          className="grid size-10 shrink-0 cursor-pointer place-items-center rounded-small text-harbour hover:bg-card focus-visible:-outline-offset-2 print:hidden"
        >
          <CopySign isDone={copied === true} />
          <span className="sr-only">{words}</span>
        </button>
      ) : isInText ? (
        <button
          type="button"
          onClick={onClick}
          className="min-h-6 cursor-pointer text-harbour underline decoration-line underline-offset-4 hover:decoration-current print:hidden"
        >
          {words}
        </button>
      ) : (
        <Button onClick={onClick}>{words}</Button>
      )}
      <span role="status" className={copied === false ? 'text-quiet' : 'sr-only'}>
        {copied === undefined ? null : t(copied ? 'ui.copied' : 'ui.notCopied')}
      </span>
    </>
  );
}

/** Two sheets, or a tick. */
function CopySign({ isDone }: { readonly isDone: boolean }): ReactElement {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d={isDone ? 'm2.5 8.5 3.5 3.5 7.5-8' : 'M5.5 5.5h8v8h-8zM10.5 3v-.5h-8v8H3'} />
    </svg>
  );
}

/** @throws where the browser or its user does not let a page copy */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
