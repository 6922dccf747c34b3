import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Failure, FieldIssue, MutationState } from '../call/mutation-state.js';
import { t } from '../messages/translate.js';
import { Banner } from '../parts/banner.js';
import { Button } from '../parts/button.js';

/** Why something failed. What a field already shows is not repeated. */
export function FailureNote({ failure }: { readonly failure: Failure }): ReactElement | null {
  const { message, issues, requestId, waitSeconds, signInByCompany } = failure;
  if (issues.length > 0 && message === '') return null;
  return (
    <Banner tone="error">
      <p>{message}</p>
      {waitSeconds === undefined ? null : <Countdown key={waitSeconds} seconds={waitSeconds} />}
      {signInByCompany === undefined ? null : (
        <p className="mt-2">
          <Button onClick={signInByCompany}>{t('ui.companySignIn')}</Button>
        </p>
      )}
      {requestId === undefined ? null : (
        <p className="mt-1 text-note text-quiet">
          {t('ui.requestId')} <span className="font-mono wrap-anywhere">{requestId}</span>
        </p>
      )}
    </Banner>
  );
}

/** Counts down to when it is worth trying again. Screen readers hear it once. */
function Countdown({ seconds }: { readonly seconds: number }): ReactElement {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endsAtMs = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)));
    }, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <p className="mt-1" aria-live="off">
      {left === 0 ? t('ui.waitOver') : t('ui.wait', { clock })}
    </p>
  );
}

/** The issues that the last refusal had with the fields of a form. */
const FormIssues = createContext<readonly FieldIssue[]>([]);

/** The issue with one field; undefined without one. */
export function useFieldIssue(name: string): string | undefined {
  return useContext(FormIssues).find(({ path }) => path === name)?.message;
}

/** The issues with single lines of a field, such as `addresses.2`, by the index of the line. */
export function useLineIssues(name: string): readonly { readonly at: number; readonly message: string }[] {
  const start = `${name}.`;
  return useContext(FormIssues).flatMap(({ path, message }) =>
    path.startsWith(start) ? [{ at: Number(path.slice(start.length)), message }] : [],
  );
}

/** Says that a call takes long, with a way to give it up. */
export function StillAsking({
  mutation: { isSlow, cancel },
}: {
  readonly mutation: MutationState;
}): ReactElement {
  return (
    <div role="status" className="empty:absolute">
      {isSlow ? (
        <div className="flex items-center justify-between gap-3 text-quiet">
          <span>{t('ui.slow')}</span>
          <Button onClick={cancel}>{t('ui.cancel')}</Button>
        </div>
      ) : null}
    </div>
  );
}

/** The text of a form's fields, by name. */
export type FormFields = Readonly<Record<string, string>>;

/**
 * A form whose fields keep their own text, whatever happens. A refusal about a field is shown at that field, any other
 * above the form; the focus moves to the first one.
 */
export function Form({
  mutation,
  onSend,
  children,
}: {
  readonly mutation: MutationState;
  readonly onSend: (fields: FormFields, signal: AbortSignal) => Promise<void>;
  readonly children: ReactNode;
}): ReactElement {
  const form = useRef<HTMLFormElement>(null);
  const { failure } = mutation;
  const issues = failure?.issues ?? [];

  useEffect(() => {
    const first = issues.length === 0 ? null : form.current?.querySelector<HTMLElement>('[aria-invalid]');
    first?.focus();
  }, [issues]);

  const onSubmit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const fields = Object.fromEntries(
      [...sent].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    );
    mutation.send((signal) => onSend(fields, signal));
  };

  return (
    <FormIssues value={issues}>
      <form ref={form} onSubmit={onSubmit} className="flex flex-col gap-5">
        {failure === undefined ? null : <FailureNote failure={failure} />}
        {children}
        <StillAsking mutation={mutation} />
      </form>
    </FormIssues>
  );
}
