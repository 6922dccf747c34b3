import type { ReactElement, ReactNode } from 'react';
import { explainError } from '../failure/explain-error.js';
import { FailureNote } from '../form/failure-note.js';
import { Button } from '../parts/button.js';
import { PageHeader } from '../parts/page-header.js';
import { t } from './words.js';

/** In place of every screen, where it did not become known who is signed in. */
export function Unreached({
  title,
  error,
  onRetry,
  children,
}: {
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
  /** What stands above. */
  readonly children?: ReactNode;
}): ReactElement {
  const failure = explainError(error);
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-8">
      {children}
      <PageHeader tone="error" title={title} />
      {failure === undefined ? null : <FailureNote failure={failure} />}
      <div>
        <Button kind="primary" onClick={onRetry}>
          {t('asked.retry')}
        </Button>
      </div>
    </main>
  );
}
