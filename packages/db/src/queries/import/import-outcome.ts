/** The outcome of one imported row. `there` means that it existed before and was left unchanged. */
export type ImportOutcome = 'added' | 'there' | { readonly problem: string };
