/** How a link within a card or a path looks. */
export const LINK = 'inline-flex min-h-6 items-center text-harbour underline decoration-1 underline-offset-3';
