import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useState } from 'react';

type Kind = 'primary' | 'plain' | 'grave';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-small border text-center font-semibold wrap-anywhere';

const ROOM = 'min-h-10 px-4 py-2';

/** The smallest height of a target; on a phone the height of other buttons. */
const LITTLE_ROOM = 'min-h-10 px-3 rows:min-h-8';

const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'border-harbour bg-harbour text-on-harbour hover:bg-ink hover:border-ink hover:text-paper',
  plain: 'border-edge bg-card text-ink hover:bg-well',
  grave: 'border-brick bg-card text-brick hover:bg-brick-wash',
};

/** How a link within the app looks as a button. */
export const BUTTON_LOOK = `${SHAPE} ${ROOM} ${KINDS.plain}`;

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'className'> {
  readonly kind?: Kind;
  /** It stays readable and focusable, says that it is busy, and does nothing. */
  readonly isBusy?: boolean;
  readonly isWide?: boolean;
  /** Whether it belongs to a row of a list. */
  readonly isSmall?: boolean;
}

/** How long after a click a button is regarded as the one that made its screen busy. */
const FORGETS_AFTER_MS = 300;

/** A button. While it is busy it keeps its place, its words and the focus, and a line runs in the one that was pressed. */
export function Button({
  kind = 'plain',
  isBusy = false,
  isWide = false,
  isSmall = false,
  onClick,
  type = 'button',
  children,
  ...rest
}: ButtonProps): ReactElement {
  const [isPressed, setPressed] = useState(false);
  // A form is submitted after the click, and some clicks submit nothing.
  useEffect(() => {
    if (!isPressed || isBusy) return undefined;
    const timer = setTimeout(() => setPressed(false), FORGETS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isPressed, isBusy]);
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) {
          event.preventDefault();
          return;
        }
        setPressed(true);
        onClick?.(event);
      }}
      className={`${SHAPE} ${isSmall ? LITTLE_ROOM : ROOM} ${KINDS[kind]} ${isWide ? 'w-full' : ''} relative cursor-pointer aria-disabled:cursor-progress aria-disabled:opacity-70`}
    >
      {children}
      {isBusy && isPressed ? <BusyMark /> : null}
    </button>
  );
}

/** A line that runs along the lower edge of a button while it works. It takes up no space. */
function BusyMark(): ReactElement {
  return (
    <span aria-hidden="true" className="absolute inset-x-1 bottom-0.5 h-0.75 overflow-hidden rounded-small">
      <span className="block h-full w-1/3 animate-run rounded-small bg-current motion-reduce:w-full motion-reduce:animate-none" />
    </span>
  );
}

/** A link that looks like a button, for actions that are another document. */
export function ButtonLink({
  kind = 'plain',
  isWide = false,
  href,
  download,
  children,
}: {
  readonly kind?: Kind;
  readonly isWide?: boolean;
  readonly href: string;
  /** The name of the file, if the document is saved instead of opened. */
  readonly download?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <a
      href={href}
      download={download}
      className={`${SHAPE} ${ROOM} ${KINDS[kind]} ${isWide ? 'w-full' : ''}`}
    >
      {children}
    </a>
  );
}
