import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useSyncExternalStore,
} from 'react';
import { catalogue } from '../messages/translate.js';
import type { StatusTone } from '../parts/icons.js';
import { PageHeader } from '../parts/page-header.js';
import { showsUtc } from './shown-time.js';

let hasMoved = false;

/** Remembers that the document shows another screen than the one it was opened with. */
export function recordMove(): void {
  hasMoved = true;
}

/** Whether the person came here from another screen of this document, so that screen readers announce this one. */
const isAfterMove = (): boolean => hasMoved;

/** What the screens say about their product, in the displayed language. */
interface Product {
  /** The end of every document's title. */
  readonly name: string;
  /** One sentence: who can give a role that includes more. */
  readonly whoGivesRoles: string;
}

export const ProductContext = createContext<Product>({ name: 'Gatehouse', whoGivesRoles: '' });

export const useProduct = (): Product => useContext(ProductContext);

/** Only states that need attention have one: a bar that is always there would say nothing. */
const BARS: Readonly<Record<StatusTone, string>> = {
  ok: '',
  pending: 'border-s-6 ps-4 border-lantern',
  error: 'border-s-6 ps-4 border-brick',
};

/** A screen within the frame: its page header, the actions, and then its content. */
export function Screen({
  title,
  tone,
  lead,
  actions,
  isWaiting = false,
  children,
}: {
  /** The name of the page, or one sentence about the present state. */
  readonly title: string;
  readonly tone?: StatusTone;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether the next screen takes the focus instead, because the content is not there yet. */
  readonly isWaiting?: boolean;
  readonly children?: ReactNode;
}): ReactElement {
  const { name } = useProduct();
  useEffect(() => {
    document.title = name === '' ? title : `${title} · ${name}`;
  }, [title, name]);
  useEffect(() => {
    if (isAfterMove() && !isWaiting) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [isWaiting]);
  return (
    <div className="flex max-w-page flex-col gap-8">
      <div
        className={`flex flex-wrap items-start justify-between gap-4 ${tone === undefined ? '' : BARS[tone]}`}
      >
        <div className="min-w-0 flex-1 basis-96">
          <PageHeader title={title} {...(tone === undefined || tone === 'ok' ? {} : { tone })}>
            {lead}
          </PageHeader>
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

const watchLanguage = (listener: () => void): (() => void) => catalogue.on('change', listener);

/** A screen that is shown again when its reader chooses another language, or times in UTC; what is typed stays. */
export function inLanguage(Screen: () => ReactElement | null): () => ReactElement {
  return function InLanguage() {
    useSyncExternalStore(watchLanguage, () => `${catalogue.locale} ${showsUtc()}`);
    return <Screen />;
  };
}
