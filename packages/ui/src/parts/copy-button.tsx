import { type ReactElement, useEffect, useState } from 'react';
import { t } from '../messages/translate.js';
import { Button } from './button.js';

const SHOWN_MS = 4_000;

/** Copies a text, and says so for a while. A browser can forbid it. */
export function CopyButton({
  text,
  label = t('ui.copy'),
  isInText = false,
}: {
  readonly text: string;
  /** The words on it, where a page has several. */
  readonly label?: string;
  /** Whether it is in a line of text, and looks like a link. */
  readonly isInText?: boolean;
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
      {isInText ? (
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

/** @throws where the browser or its user does not let a page copy */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
