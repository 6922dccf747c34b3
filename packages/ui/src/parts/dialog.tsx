import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from 'react';

/** A dialog over the page, which waits behind it. Esc closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  /** Absent if the dialog cannot be dismissed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        // A browser closes a dialog on a second Esc, whatever its cancel event says.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose?.();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-md border-t-4 border-ink bg-card text-ink shadow-2xl backdrop:bg-[oklch(0_0_0/0.5)]"
    >
      <div className="flex flex-col gap-5 p-5">
        <h2 id={id} className="text-title font-bold text-balance wrap-anywhere">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
