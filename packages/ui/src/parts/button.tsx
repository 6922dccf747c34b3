import type { ComponentProps, ReactElement, ReactNode } from 'react';

type Kind = 'primary' | 'plain' | 'grave';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-small border text-center font-semibold wrap-anywhere';

const ROOM = 'min-h-10 px-4 py-2';

/** As high as a target has to be; on a phone as high as the others. */
const LITTLE_ROOM = 'min-h-10 px-3 rows:min-h-8';

const KINDS: Readonly<Record<Kind, string>> = {
  primary: 'border-harbour bg-harbour text-on-harbour hover:bg-ink hover:border-ink hover:text-paper',
  plain: 'border-edge bg-card text-ink hover:bg-well',
  grave: 'border-brick bg-card text-brick hover:bg-brick-wash',
};

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'className'> {
  readonly kind?: Kind;
  /** It can be read and reached, says that it waits, and does nothing. */
  readonly isBusy?: boolean;
  readonly isWide?: boolean;
  /** Whether it belongs to a row of a list. */
  readonly isSmall?: boolean;
}

/** A button. While it is busy it keeps its place, its words and the focus. */
export function Button({
  kind = 'plain',
  isBusy = false,
  isWide = false,
  isSmall = false,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${SHAPE} ${isSmall ? LITTLE_ROOM : ROOM} ${KINDS[kind]} ${isWide ? 'w-full' : ''} cursor-pointer aria-disabled:cursor-progress aria-disabled:opacity-70`}
    />
  );
}

/** A link that looks like a button, for actions that are another document. */
export function ButtonLink({
  kind = 'plain',
  isWide = false,
  href,
  children,
}: {
  readonly kind?: Kind;
  readonly isWide?: boolean;
  readonly href: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <a href={href} className={`${SHAPE} ${ROOM} ${KINDS[kind]} ${isWide ? 'w-full' : ''}`}>
      {children}
    </a>
  );
}
