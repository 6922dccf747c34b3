import { isVerificationRequired, type VerificationNeed } from '@gatehouse/client-sdk';

/** A question who is there, which waits for its answer. */
export interface ProofQuestion {
  readonly need: VerificationNeed;
  /** Whether it was proven. */
  answer(isProven: boolean): void;
}

let question: ProofQuestion | undefined;
const listeners = new Set<() => void>();

function setQuestion(next: ProofQuestion | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

export const openProofQuestion = (): ProofQuestion | undefined => question;

export function watchProofQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Asks on the page who is there. */
function askProof(need: VerificationNeed): Promise<boolean> {
  question?.answer(false);
  return new Promise((resolve) => {
    setQuestion({
      need,
      answer: (isProven) => {
        setQuestion(undefined);
        resolve(isProven);
      },
    });
  });
}

/**
 * Does what is hard to undo. Where the service asks for it, somebody shows again who they are, and it is done once more.
 * @throws what the work threw; `verification_required` where nobody showed it
 */
export async function withReauth<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const need = isVerificationRequired(error) ? error.data.verification : undefined;
    if (need === undefined || !(await askProof(need))) throw error;
    return work();
  }
}
