import { type ReactElement, useEffect, useRef } from 'react';
import { t } from '../messages/translate.js';
import { Banner } from './banner.js';

/** How long a notice stays unless the pointer or the focus is in it. */
const SHOWN_MS = 15_000;

/** Says that something was done. It can be closed, and disappears by itself. */
export function Notice({
  text,
  onClose,
}: {
  readonly text: string | undefined;
  /** Takes the text away, such as the setter of a state. */
  readonly onClose: (none: undefined) => void;
}): ReactElement | null {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text === undefined) return undefined;
    const timer = setInterval(() => {
      if (place.current?.matches(':hover, :focus-within') !== true) onClose(undefined);
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [text, onClose]);
  if (text === undefined) return null;
  return (
    <div ref={place} className="print:hidden">
      <Banner tone="ok">
        <div className="flex items-start gap-3">
          <p className="min-w-0 flex-1">{text}</p>
          <button
            type="button"
            onClick={() => {
              onClose(undefined);
              // The button goes, and the focus would go with it to the top of the document.
              document.getElementById('main')?.focus();
            }}
            className="-my-1 grid size-8 shrink-0 cursor-pointer place-items-center rounded-small hover:bg-card"
          >
            <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden="true">
              <path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" strokeWidth="1.5" />
            </svg>
            <span className="sr-only">{t('ui.closeNotice')}</span>
          </button>
        </div>
      </Banner>
    </div>
  );
}
