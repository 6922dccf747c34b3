/** What became of one row that was brought from elsewhere: `there` means that it was before, and was left as it is. */
export type ImportOutcome = 'added' | 'there' | { readonly problem: string };
