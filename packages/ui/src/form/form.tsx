import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import type { MutationState } from '../call/use-send.js';
import { FailureNote } from './failure-note.js';
import { FormIssues } from './form-context.js';
import { StillAsking } from './still-asking.js';

/** The text of a form's fields, by name. */
export type FormFields = Readonly<Record<string, string>>;

/**
 * A form whose fields keep their own text, whatever happens. What a refusal says stands at its field, the rest above; the
 * focus moves to the first of them.
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
