/** The staff of the demonstration, whom the document contains only in development. */
interface Demonstration {
  readonly password: string;
  readonly logins: readonly { readonly email: string; readonly kind: 'root' | 'staff' }[];
  /** What a link has to hold that signs in as one of them. */
  readonly key: string;
}

const isDemonstration = (brought: unknown): brought is Demonstration =>
  typeof brought === 'object' && brought !== null && 'logins' in brought;

/** Taken out of the document, so that only the screen that shows them has them. */
function takeDemonstration(): Demonstration | undefined {
  const element = document.getElementById('demonstration');
  element?.remove();
  const brought: unknown = JSON.parse(element?.textContent ?? 'null');
  return isDemonstration(brought) ? brought : undefined;
}

export const demonstration = takeDemonstration();
