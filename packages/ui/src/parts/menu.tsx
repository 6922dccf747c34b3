import {
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from './button.js';
import { Chevron } from './icons.js';

/** An action of a menu. */
export interface MenuItem {
  readonly words: string;
  readonly isGrave?: boolean;
  readonly isBusy?: boolean;
  readonly onClick: () => void;
}

/** The distance of an open menu from the edges of the window, in pixels. */
const MARGIN = 8;

/**
 * A button that opens a list of actions. Esc, a click elsewhere and an action close it; the focus is then on the button, or where the
 * action puts it.
 */
export function Menu({
  label,
  about,
  items,
  isRow = false,
}: {
  readonly label: string;
  /** The subject of the actions, which screen readers add to each. */
  readonly about?: string;
  /** In this order; destructive ones belong at the end. */
  readonly items: readonly MenuItem[];
  /** Whether it belongs to a row of a list, where it shows only three dots. */
  readonly isRow?: boolean;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const [shift, setShift] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && root.current?.contains(target) !== true) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setOpen(false);
      root.current?.querySelector('button')?.focus();
    };
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, leave);
    document.addEventListener('keydown', closeByKey);
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, leave);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen]);
  useLayoutEffect(() => {
    const place = isOpen ? list.current?.getBoundingClientRect() : undefined;
    const most = document.documentElement.clientWidth - MARGIN;
    if (place === undefined) setShift(0);
    else setShift(place.right > most ? most - place.right : Math.max(0, MARGIN - place.left));
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const name: ReactNode = isRow ? <Dots label={label} /> : label;
  return (
    <div ref={root} className={`relative ${isRow ? 'justify-self-end' : ''}`}>
      <Button
        isSmall={isRow}
        isBusy={items.some(({ isBusy }) => isBusy === true)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
        {isRow ? null : <Chevron isOpen={isOpen} />}
      </Button>
      {isOpen ? (
        <ul
          ref={list}
          id={id}
          style={{ translate: `${shift}px` }}
          className={`absolute top-full z-10 mt-1 flex w-max max-w-[calc(100vw-1rem)] min-w-44 flex-col border border-edge bg-card py-1 shadow-2xl ${isRow ? 'end-0' : 'start-0'}`}
        >
          {items.map(({ words, isGrave = false, onClick }) => (
            <li key={words}>
              <button
                type="button"
                onClick={() => {
                  close();
                  onClick();
                }}
                className={`min-h-10 w-full cursor-pointer px-4 py-2 text-start font-semibold wrap-anywhere hover:bg-well focus-visible:-outline-offset-2 ${isGrave ? 'text-brick' : 'text-ink'}`}
              >
                {words}
                {about === undefined ? null : <span className="sr-only"> {about}</span>}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Dots({ label }: { readonly label: string }): ReactElement {
  return (
    <>
      <svg viewBox="0 0 16 16" width={16} height={16} fill="currentColor" aria-hidden="true">
        <circle cx="2.5" cy="8" r="1.5" />
        <circle cx="8" cy="8" r="1.5" />
        <circle cx="13.5" cy="8" r="1.5" />
      </svg>
      <span className="sr-only">{label}</span>
    </>
  );
}
