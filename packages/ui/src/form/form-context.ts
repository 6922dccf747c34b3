import { createContext, useContext } from 'react';
import type { FieldIssue } from '../call/failure.js';

/** The issues that the last refusal had with the fields of a form. */
export const FormIssues = createContext<readonly FieldIssue[]>([]);

/** The issue with one field; undefined without one. */
export function useFieldIssue(name: string): string | undefined {
  return useContext(FormIssues).find(({ path }) => path === name)?.message;
}
