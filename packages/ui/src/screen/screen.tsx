import { type ReactElement, type ReactNode, useEffect } from 'react';
import { PageHeader } from '../parts/page-header.js';
import type { StatusTone } from '../parts/status-icon.js';
import { isAfterMove } from './moves.js';
import { useProduct } from './product.js';

const BARS: Readonly<Record<StatusTone, string>> = {
  ok: 'border-moss',
  pending: 'border-lantern',
  error: 'border-brick',
};

/** A screen within the frame: its page header, the actions, and then its content. */
export function Screen({
  title,
  tone,
  lead,
  actions,
  children,
}: {
  /** One sentence, which says how things are. */
  readonly title: string;
  readonly tone?: StatusTone;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactElement {
  const { name } = useProduct();
  useEffect(() => {
    document.title = name === '' ? title : `${title} – ${name}`;
  }, [title, name]);
  useEffect(() => {
    if (isAfterMove()) document.querySelector('h1')?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="flex max-w-5xl flex-col gap-8">
      <div className={`flex flex-col gap-4 ${tone === undefined ? '' : `border-s-6 ps-4 ${BARS[tone]}`}`}>
        <PageHeader title={title} {...(tone === undefined ? {} : { tone })}>
          {lead}
        </PageHeader>
        {actions === undefined ? null : <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
